// Tests of cli/snapshot on arenas in which a crashing or hostile program has left nonsense: no
// reference, list, length or enumerator makes the launcher crash, or what it builds of them.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

#include "cli/audit.h"
#include "cli/collect.h"
#include "cli/render.h"
#include "cli/snapshot.h"
#include "tests/cli/arena_contents.h"

namespace iotrace {
namespace {

// Nowhere, into the header and the slots, the last unit of the arena, beyond it.
const Ref kBadRefs[] = {1,
                        ref_of_offset(kSlotsOffset),
                        ref_of_offset(kSegmentsOffset - kRefUnit),
                        ref_of_offset(kArenaSize - kRefUnit),
                        ref_of_offset(kArenaSize),
                        UINT32_MAX};

class HostileArena : public testing::Test {
 protected:
  HostileArena() {
    record_.fd = 1;
    block_.bytes.value = 77;
    arena_.make<ErrorBlock>(&block_.errors);
    record_.path = arena_.add_path("/x");
  }

  ArenaContents arena_;
  ImageRecord& image_ = arena_.add_image(0, 1);
  Announcement& announcement_ = arena_.add_announcement(1, 2);
  Lane& lane_ = arena_.add_lane(image_);
  DescriptorRecord& record_ = arena_.add_record(image_, 0);
  CounterBlock& block_ = arena_.add_block(lane_, 0, 3);
};

// All that the launcher makes of an arena.
std::string report_of(const ArenaContents& arena) {
  Snapshot snapshot = take_snapshot(arena.base());
  slots_of_process(arena.base(), 1);
  AuditInput input;
  input.is_running = [](int, uint64_t) { return false; };
  return render_json(collect({}, snapshot, audit(snapshot, input)));
}

TEST_F(HostileArena, the_sound_one_is_read) {
  EXPECT_EQ(take_snapshot(arena_.base()).images.at(0).records.at(0).tally.bytes, 77U);
  EXPECT_NE(report_of(arena_).find("77"), std::string::npos);
}

TEST_F(HostileArena, references_that_lead_nowhere_are_not_followed) {
  Ref* const places[] = {&arena_.slot(0).image,
                         &arena_.slot(1).announcement,
                         &image_.lanes,
                         &image_.record_pages[0],
                         &lane_.next,
                         &lane_.blocks[1],
                         &lane_.blocks[kMaxRecords],
                         &record_.path,
                         &block_.errors,
                         &at<ErrorBlock>(arena_.base(), block_.errors)->next};
  for (Ref* place : places) {
    for (Ref bad : kBadRefs) {
      Ref sound = *place;
      *place = bad;
      EXPECT_FALSE(report_of(arena_).empty());
      *place = sound;
    }
  }
}

TEST_F(HostileArena, a_path_does_not_run_out_of_the_arena) {
  PathText* last = at<PathText>(arena_.base(), ref_of_offset(kArenaSize - kRefUnit));
  last->length = kPathCapacity;
  record_.path = ref_of_offset(kArenaSize - kRefUnit);
  EXPECT_EQ(take_snapshot(arena_.base()).images.at(0).records.at(0).path, std::nullopt);
}

TEST_F(HostileArena, a_smaller_arena_ends_earlier) {
  lane_.next = ref_of_offset(kSmallestArenaSize);
  ASSERT_EQ(
      mprotect(arena_.base() + kSmallestArenaSize, kArenaSize - kSmallestArenaSize, PROT_NONE), 0);
  EXPECT_EQ(take_snapshot(arena_.base(), kSmallestArenaSize).images.size(), 2U);
}

TEST_F(HostileArena, lists_that_bite_their_tail_end) {
  at<ErrorBlock>(arena_.base(), block_.errors)->next = block_.errors;
  lane_.next = image_.lanes;
  EXPECT_FALSE(report_of(arena_).empty());
}

TEST_F(HostileArena, one_block_may_stand_for_everything) {
  for (Ref& block : lane_.blocks) block = lane_.blocks[1];
  for (Ref& page : image_.record_pages) page = image_.record_pages[0];
  arena_.slot(1) = arena_.slot(0);
  EXPECT_FALSE(report_of(arena_).empty());
}

TEST_F(HostileArena, enumerators_that_do_not_exist_become_the_last_resort) {
  record_.stream = static_cast<Stream>(200);
  record_.kind = static_cast<TargetKind>(201);
  record_.stdio_mode = 1000;
  image_.counting = static_cast<Counting>(99);
  announcement_.expected_reason = static_cast<NotInstrumented>(1000);
  const Snapshot snapshot = take_snapshot(arena_.base());
  const RecordSnapshot& record = snapshot.images.at(0).records.at(0);
  EXPECT_EQ(record.stream, Stream::other);
  EXPECT_EQ(record.kind, TargetKind::other);
  EXPECT_EQ(record.stdio_mode, Buffering::none);
  EXPECT_EQ(snapshot.images[0].counting, Counting::nothing);
  EXPECT_EQ(snapshot.images[1].reason, NotInstrumented::unknown);
  EXPECT_FALSE(report_of(arena_).empty());
}

TEST_F(HostileArena, the_header_may_be_spoilt_too) {
  arena_.header().next_slot = UINT32_MAX;
  for (StreamTarget& stream : arena_.header().streams) {
    stream.open = 1;
    stream.kind = static_cast<TargetKind>(255);
    stream.path_length = UINT32_MAX;
  }
  EXPECT_EQ(take_snapshot(arena_.base()).streams[0].kind, TargetKind::other);
  EXPECT_FALSE(report_of(arena_).empty());
}

TEST_F(HostileArena, slot_states_that_do_not_exist_are_no_images) {
  arena_.slot(0).state_word = 1000;
  EXPECT_EQ(take_snapshot(arena_.base()).images.size(), 1U);
}

TEST_F(HostileArena, lengths_are_cut_to_what_there_is) {
  image_.command_length = image_.executable_length = UINT32_MAX;
  memset(image_.command, 'c', sizeof(image_.command));
  memset(image_.executable, 'e', sizeof(image_.executable));
  announcement_.command_length = UINT32_MAX;
  memset(announcement_.command, 'a', sizeof(announcement_.command));
  at<PathText>(arena_.base(), record_.path)->length = UINT32_MAX;
  const Snapshot snapshot = take_snapshot(arena_.base());
  EXPECT_EQ(snapshot.images.at(0).command.at(0).size(), sizeof(image_.command));
  EXPECT_EQ(snapshot.images[0].executable->size(), sizeof(image_.executable));
  EXPECT_EQ(snapshot.images[0].records.at(0).path, std::nullopt);
  EXPECT_EQ(snapshot.images.at(1).command.at(0).size(), sizeof(announcement_.command));
}

TEST_F(HostileArena, relatives_that_come_later_or_do_not_exist_are_none) {
  for (uint32_t relative : {1U, 2U, kSlotCount, kSlotCount + 1, UINT32_MAX}) {
    image_.parent_slot_plus_one = image_.predecessor_slot_plus_one = relative;
    announcement_.announcer_slot_plus_one = relative;
    EXPECT_FALSE(report_of(arena_).empty());
  }
}

TEST_F(HostileArena, errors_of_calls_that_do_not_exist_are_left_out) {
  ErrorBlock& errors = *at<ErrorBlock>(arena_.base(), block_.errors);
  errors.entries[0] = {(kCallCount + 1) << 16 | 5, 0, {1}};
  errors.entries[1] = {5, 0, {1}};
  errors.entries[2] = {error_key(Call::write, 0xffff), 0, {1}};
  EXPECT_EQ(take_snapshot(arena_.base()).images.at(0).records.at(0).tally.errors.size(), 1U);
  EXPECT_FALSE(report_of(arena_).empty());
}

// References among the noise lead into it, so that whole structures are made of it.
TEST_F(HostileArena, noise_is_read_without_a_crash) {
  constexpr size_t kNoiseSize = 3 * kSegmentSize;
  const uint32_t first = ref_of_offset(kSegmentsOffset);
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    uint32_t* words = reinterpret_cast<uint32_t*>(arena_.base() + kSegmentsOffset);
    for (size_t i = 0; i < kNoiseSize / sizeof(uint32_t); ++i) {
      uint32_t word = random();
      words[i] = word % 8 == 0  ? first + word / 8 % (kNoiseSize / kRefUnit)
                 : word % 8 < 4 ? word % 3
                                : word;
    }
    for (uint32_t i = 0; i < 6; ++i) {
      arena_.slot(i).image = first + random() % (kNoiseSize / kRefUnit);
      arena_.slot(i).announcement = first + random() % (kNoiseSize / kRefUnit);
      set_state(arena_.slot(i), i % 3 == 0 ? SlotState::announced : SlotState::attached);
      // Lists of lanes end here: a cycle of them is gone through for long, which is tested above.
      ImageRecord& image = *at<ImageRecord>(arena_.base(), arena_.slot(i).image);
      image.lanes = first + random() % (kNoiseSize / kRefUnit);
      at<Lane>(arena_.base(), image.lanes)->next = 0;
    }
    arena_.header().next_slot = 6;
    EXPECT_FALSE(report_of(arena_).empty()) << seed;
  }
}

}  // namespace
}  // namespace iotrace
