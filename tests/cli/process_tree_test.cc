// Tests of cli/process_tree: which images are one process, and whose child it is.
#include "cli/process_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/snapshots.h"

namespace iotrace {
namespace {

// One word for each process: the slots of its images, its parent's place, the place of the reaped
// process that it is: "0,2<-/r1".
std::vector<std::string> tree(const Snapshot& snapshot,
                              const std::vector<ReapedProcess>& reaped_processes = {}) {
  std::vector<std::string> result;
  for (const ProcessNode& process : build_process_tree(snapshot, reaped_processes)) {
    std::string text;
    for (const ImageSnapshot* one : process.images)
      text += (text.empty() ? "" : ",") + std::to_string(one->slot);
    if (process.parent) text += "<-" + std::to_string(*process.parent);
    if (process.reaped) text += "/r" + std::to_string(*process.reaped);
    result.push_back(text);
  }
  return result;
}

using Tree = std::vector<std::string>;

TEST(ProcessTree, a_chain_of_execs_is_one_process) {
  EXPECT_EQ(tree(snapshot_of({image(0), successor_of(0, image(1)), successor_of(1, image(2))})),
            Tree{"0,1,2"});
}

TEST(ProcessTree, children_belong_to_the_process_whatever_image_made_them) {
  EXPECT_EQ(tree(snapshot_of({image(0), child_of(0, image(1)), successor_of(0, image(2)),
                              child_of(2, image(3)), child_of(3, image(4))})),
            (Tree{"0,2", "1<-0", "3<-0", "4<-2"}));
}

TEST(ProcessTree, what_was_made_by_nobody_that_we_know_has_no_parent) {
  EXPECT_EQ(
      tree(snapshot_of({image(0), child_of(77, image(3)), successor_of(78, image(4)), image(5)})),
      (Tree{"0", "3", "4", "5"}));
}

TEST(ProcessTree, whoever_names_a_predecessor_that_is_unknown_falls_back_to_its_parent) {
  EXPECT_EQ(tree(snapshot_of({image(0), child_of(0, successor_of(77, image(1)))})),
            (Tree{"0", "1<-0"}));
}

TEST(ProcessTree, a_reaped_process_is_found_by_its_slots) {
  EXPECT_EQ(tree(snapshot_of({image(0), successor_of(0, image(1)), child_of(1, image(2))}),
                 {reaped({2}, 0), reaped({0, 1}, 0)}),
            (Tree{"0,1/r1", "2<-0/r0"}));
}

TEST(ProcessTree, the_last_image_alone_is_enough) {
  EXPECT_EQ(tree(snapshot_of({image(0), successor_of(0, image(1))}), {reaped({1}, 0)}),
            Tree{"0,1/r0"});
}

TEST(ProcessTree, a_number_that_is_used_twice_ties_nothing) {
  ImageSnapshot first = child_of(0, image(1)), second = child_of(0, image(2));
  first.pid = second.pid = 500;
  EXPECT_EQ(tree(snapshot_of({image(0), first, second}), {reaped({1}, 0), reaped({2}, 0)}),
            (Tree{"0", "1<-0/r0", "2<-0/r1"}));
}

TEST(ProcessTree, a_process_has_the_number_of_its_last_image) {
  ImageSnapshot announced = successor_of(0, image(1));
  announced.pid = 9;
  const Snapshot snapshot = snapshot_of({image(0), announced});
  EXPECT_EQ(build_process_tree(snapshot, {}).at(0).pid(), 9);
}

}  // namespace
}  // namespace iotrace
