// Tests of interpose/inherited: who answers an announcement, and as what a program counts that was
// not announced.
#include <gtest/gtest.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "interpose/inherited.h"
#include "interpose/memory.h"
#include "tests/interpose/arena_fixture.h"

namespace iotrace {
namespace {

constexpr uint32_t kSlot = 3;
constexpr int kPid = 4711;

class Inherit : public ArenaTest {
 protected:
  void SetUp() override {
    ArenaTest::SetUp();
    header().next_slot = 10;
    names_.slot = kSlot;
    snprintf(names_.arena_path, sizeof(names_.arena_path), "%s", arena().path().c_str());
    Ref ref = allocate(sizeof(Announcement));
    announcement_ = in_image<Announcement>(ref);
    announcement_->in_use = 1;
    announcement_->announcer_slot_plus_one = 8;
    slot().announcement = ref;
    set_state(slot(), SlotState::announced);
  }
  Slot& slot() { return arena().slot(kSlot); }

  void set_path(const char* path) {
    announcement_->path_length = static_cast<uint32_t>(strlen(path));
    memcpy(announcement_->path, path, strlen(path));
  }

  // "slot/parent/predecessor", each plus one.
  std::string inherited() {
    Inheritance found = inherit(&header(), names_, kPid);
    return std::to_string(found.slot_plus_one) + "/" + std::to_string(found.parent_plus_one) + "/" +
           std::to_string(found.predecessor_plus_one);
  }

  InheritedNames names_ = {};
  Announcement* announcement_ = nullptr;
};

TEST_F(Inherit, a_spawned_program_takes_the_slot_below_its_announcer) {
  EXPECT_EQ(inherited(), "4/8/0");
  EXPECT_EQ(state_of(slot()), SlotState::attaching);
  EXPECT_EQ(announcement_->in_use, 0U);
}

TEST_F(Inherit, an_executed_one_replaces_its_announcer) {
  announcement_->in_place = 1;
  slot().pid = kPid;
  EXPECT_EQ(inherited(), "4/0/8");
}

TEST_F(Inherit, the_origins_of_the_descriptors_come_along) {
  announcement_->origins[5] = Origin::from_stderr;
  announcement_->origins[kOriginCount - 1] = Origin::from_stdout;
  inherited();
  EXPECT_EQ(process.origins[5], Origin::from_stderr);
  EXPECT_EQ(process.origins[kOriginCount - 1], Origin::from_stdout);
  EXPECT_EQ(process.table_end, static_cast<int>(kOriginCount));
}

TEST_F(Inherit, an_announcement_is_answered_once) {
  EXPECT_EQ(inherited(), "4/8/0");
  EXPECT_EQ(inherited(), "11/4/0");
}

TEST_F(Inherit, one_of_the_same_path_is_meant) {
  set_path(reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
  EXPECT_EQ(inherited(), "4/8/0");
}

TEST_F(Inherit, one_of_another_path_is_not) {
  set_path("/another/program");
  announcement_->origins[5] = Origin::from_stderr;
  EXPECT_EQ(inherited(), "11/4/0");
  EXPECT_EQ(state_of(slot()), SlotState::announced);
  EXPECT_EQ(process.origins[5], Origin::unknown);
}

TEST_F(Inherit, one_of_another_process_is_not) {
  slot().pid = kPid + 1;
  EXPECT_EQ(inherited(), "11/4/0");
}

TEST_F(Inherit, in_the_process_that_was_announced_another_program_is_its_successor) {
  slot().pid = kPid;
  set_path("/another/program");
  EXPECT_EQ(inherited(), "11/0/4");
}

TEST_F(Inherit, what_an_attached_image_started_unseen_is_its_child_or_successor) {
  set_state(slot(), SlotState::attached);
  slot().image = ref_in_image(process.image);
  image().pid = kPid + 1;
  EXPECT_EQ(inherited(), "11/4/0");
  image().pid = kPid;
  EXPECT_EQ(inherited(), "12/0/4");
}

TEST_F(Inherit, an_announcement_is_read_though_its_segment_is_not_mapped) {
  announcement_->origins[5] = Origin::from_stderr;
  process.base = nullptr;
  EXPECT_EQ(inherited(), "4/8/0");
  EXPECT_EQ(announcement_->in_use, 0U);
  EXPECT_EQ(process.origins[5], Origin::from_stderr);
}

TEST_F(Inherit, a_reference_out_of_the_arena_is_not_followed_there) {
  slot().announcement = UINT32_MAX;
  process.base = nullptr;
  EXPECT_EQ(inherited(), "11/4/0");
}

TEST_F(Inherit, without_a_slot_left_there_is_none) {
  set_path("/another/program");
  header().next_slot = kSlotCount;
  EXPECT_EQ(inherited(), "0/4/0");
  EXPECT_EQ(header().next_slot, kSlotCount);
}

}  // namespace
}  // namespace iotrace
