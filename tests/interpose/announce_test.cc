// Tests of interpose/announce: what an image says of the program that it is about to execute, and
// that slots and blocks are used again.
#include "interpose/announce.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "interpose/descriptors.h"
#include "interpose/lanes.h"
#include "interpose/memory.h"
#include "tests/interpose/arena_fixture.h"

namespace iotrace {
namespace {

class Announce : public ArenaTest {
 protected:
  void SetUp() override {
    ArenaTest::SetUp();
    process.slot = 6;
    current_lane();
    request_.argv = argv_;
    file_.reason = NotInstrumented::static_program;
    memcpy(file_.path, "/p", file_.path_length = 2);
  }
  Announcement* announce_it() { return announce(request_, file_); }
  Slot& slot_of(const Announcement* announcement) { return arena().slot(announcement->slot); }

  char* argv_[3] = {const_cast<char*>("program"), const_cast<char*>("-x"), nullptr};
  ExecRequest request_;
  ProgramFile file_;
};

TEST_F(Announce, says_who_executes_what) {
  note_new_target(5, Origin::from_stderr);
  Announcement* announcement = announce_it();
  ASSERT_NE(announcement, nullptr);
  EXPECT_EQ(announcement->announcer_slot_plus_one, 7U);
  EXPECT_EQ(announcement->expected_reason, NotInstrumented::static_program);
  EXPECT_EQ(std::string(announcement->path, announcement->path_length), "/p");
  EXPECT_EQ(std::string(announcement->command, announcement->command_length),
            std::string("program\0-x\0", 11));
  EXPECT_EQ(announcement->command_truncated, 0U);
  EXPECT_EQ(announcement->origins[5], Origin::from_stderr);
  Slot& slot = slot_of(announcement);
  EXPECT_EQ(state_of(slot), SlotState::announced);
  EXPECT_EQ(slot.announcement, ref_in_image(announcement));
}

TEST_F(Announce, an_exec_replaces_the_announcer_and_a_spawn_does_not) {
  Announcement* exec = announce_it();
  EXPECT_EQ(exec->in_place, 1U);
  EXPECT_EQ(slot_of(exec).pid, getpid());
  request_.spawns = true;
  Announcement* spawn = announce_it();
  EXPECT_EQ(spawn->in_place, 0U);
  EXPECT_EQ(slot_of(spawn).pid, 0);
}

TEST_F(Announce, the_child_of_a_vfork_does_not_replace_its_parent) {
  iotrace_thread.in_vfork_child = 1;
  EXPECT_EQ(announce_it()->in_place, 0U);
}

TEST_F(Announce, where_descriptors_are_moved_unseen_no_origin_is_known) {
  note_new_target(5, Origin::from_stderr);
  request_.moves_descriptors = true;
  EXPECT_EQ(announce_it()->origins[5], Origin::unknown);
}

TEST_F(Announce, a_long_command_is_cut_off) {
  std::string longer(3000, 'x');
  argv_[1] = longer.data();
  Announcement* announcement = announce_it();
  EXPECT_EQ(announcement->command_truncated, 1U);
  EXPECT_EQ(announcement->command_length, sizeof(announcement->command));
  EXPECT_EQ(std::string(announcement->command, 9), std::string("program\0x", 9));
}

TEST_F(Announce, a_failed_exec_leaves_block_and_slot_for_the_next) {
  Announcement* first = announce_it();
  withdraw_announcement(first);
  EXPECT_EQ(state_of(slot_of(first)), SlotState::withdrawn);
  for (int i = 0; i < 1000; ++i) {
    Announcement* again = announce_it();
    ASSERT_EQ(again, first);
    withdraw_announcement(again);
  }
  EXPECT_EQ(header().next_slot, 2U);
}

TEST_F(Announce, an_answered_one_leaves_its_block_alone) {
  Announcement* first = announce_it();
  uint32_t slot = first->slot;
  set_state(arena().slot(slot), SlotState::attached);
  first->in_use = 0;
  Announcement* second = announce_it();
  EXPECT_EQ(second, first);
  EXPECT_NE(second->slot, slot);
  EXPECT_EQ(state_of(arena().slot(slot)), SlotState::attached);
}

TEST_F(Announce, several_at_once_have_blocks_and_slots_of_their_own) {
  std::set<Announcement*> blocks;
  std::set<uint32_t> slots;
  for (int i = 0; i < 10; ++i) {
    blocks.insert(announce_it());
    slots.insert((*blocks.rbegin())->slot);
  }
  EXPECT_EQ(blocks.size(), 10U);
  EXPECT_EQ(header().next_slot, 11U);
}

TEST_F(Announce, without_a_slot_or_room_nothing_is_announced) {
  header().next_slot = kSlotCount;
  EXPECT_EQ(announce_it(), nullptr);
  header().next_slot = 1;
  Announcement* announcement = announce_it();
  ASSERT_NE(announcement, nullptr);
  leave_room(0);
  while (allocate(kRefUnit) != 0) {
  }
  EXPECT_EQ(announce_it(), nullptr);
}

}  // namespace
}  // namespace iotrace
