// Tests of cli/audit: every rule by which our counts are compared with the kernel's.
#include "cli/audit.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <string>

#include "tests/cli/snapshots.h"

namespace iotrace {
namespace {

constexpr auto kUnknown = std::optional<bool>();

Audit audited(const Snapshot& snapshot, std::vector<ReapedProcess> processes,
              const std::set<int>& running = {}) {
  AuditInput input;
  input.reaped = std::move(processes);
  input.is_running = [&running](int pid, uint64_t) { return running.contains(pid); };
  return audit(snapshot, input);
}

// "kernel/counted/unseen/not auditable".
std::string figures(const Coverage& coverage) {
  return std::to_string(coverage.kernel_calls) + "/" + std::to_string(coverage.counted_calls) +
         "/" + std::to_string(coverage.unseen_calls) + "/" +
         std::to_string(coverage.not_auditable_calls);
}

// The reason that is given for a process, or "none".
std::string reason_for(const Coverage& coverage, std::optional<int> pid) {
  for (const Unaudited& one : coverage.unaudited) {
    if (one.pid == pid) return one.reason;
  }
  return "none";
}

TEST(Audit, equal_counts_are_complete) {
  Audit found = audited(snapshot_of({image(0, 10)}), {reaped({0}, 10)});
  EXPECT_EQ(figures(found.coverage), "10/10/0/0");
  EXPECT_EQ(found.coverage.complete, true);
  EXPECT_TRUE(found.coverage.unaudited.empty());
  EXPECT_EQ(found.coverage.note, std::nullopt);
}

TEST(Audit, what_the_kernel_counted_besides_is_unseen) {
  Audit found = audited(snapshot_of({image(0, 10)}), {reaped({0}, 13)});
  EXPECT_EQ(figures(found.coverage), "13/10/3/0");
  EXPECT_EQ(found.coverage.complete, false);
}

TEST(Audit, what_the_kernel_did_not_count_was_elsewhere) {
  Audit found = audited(snapshot_of({image(0, 10)}), {reaped({0}, 6)});
  EXPECT_EQ(found.coverage.unseen_calls, 0U);
  EXPECT_EQ(found.coverage.complete, kUnknown);
  EXPECT_TRUE(reason_for(found.coverage, 100).starts_with("4 of its"));
}

TEST(Audit, a_lack_in_one_process_does_not_hide_an_excess_in_another) {
  Audit found = audited(snapshot_of({image(0, 10), child_of(0, image(1, 10))}),
                        {reaped({0}, 4), reaped({1}, 16)});
  EXPECT_EQ(found.coverage.unseen_calls, 6U);
  EXPECT_EQ(found.coverage.complete, false);
  EXPECT_TRUE(reason_for(found.coverage, 100).starts_with("6 of its"));
}

TEST(Audit, of_a_chain_of_execs_all_images_are_in_one_figure) {
  Audit found =
      audited(snapshot_of({image(0, 10), successor_of(0, image(1, 5))}), {reaped({0, 1}, 15)});
  EXPECT_EQ(figures(found.coverage), "15/15/0/0");
  EXPECT_EQ(found.exits.size(), 1U);
  EXPECT_TRUE(found.exits.contains(1));
}

TEST(Audit, what_a_process_reaped_itself_is_in_its_figure) {
  Snapshot snapshot = snapshot_of(
      {image(0, 10), child_of(0, image(1, 5)), child_of(1, image(2, 1)), child_of(0, image(3, 2))});
  Audit found = audited(snapshot, {reaped({0}, 16), reaped({3}, 2)});
  EXPECT_EQ(figures(found.coverage), "18/18/0/0");
  EXPECT_EQ(found.coverage.complete, true);
}

TEST(Audit, calls_that_the_kernel_never_counts_are_no_lack) {
  ImageSnapshot sender = image(0, 10);
  sender.records[0].tally.calls[static_cast<unsigned>(Call::sendto)] = 4;
  sender.records[0].tally.sizes[3] += 4;
  Audit found = audited(snapshot_of({sender}), {reaped({0}, 10)});
  EXPECT_EQ(figures(found.coverage), "10/10/0/4");
  EXPECT_EQ(found.coverage.complete, true);
}

TEST(Audit, behind_doubtful_calls_that_the_kernel_counted_others_may_hide) {
  ImageSnapshot failing = image(0, 10);
  failing.records[0].tally.sizes[3] = 7;
  failing.records[0].tally.errors[{Call::write, EFAULT}] = 3;
  for (uint64_t kernel = 7; kernel <= 10; ++kernel) {
    Audit found = audited(snapshot_of({failing}), {reaped({0}, kernel)});
    EXPECT_EQ(found.coverage.counted_calls, kernel);
    EXPECT_EQ(found.coverage.not_auditable_calls, 10 - kernel);
    if (kernel == 7) {
      EXPECT_EQ(found.coverage.complete, true);
    } else {
      EXPECT_EQ(found.coverage.complete, kUnknown);
      EXPECT_NE(found.coverage.note->find("3 calls that failed"), std::string::npos);
    }
  }
  EXPECT_EQ(audited(snapshot_of({failing}), {reaped({0}, 11)}).coverage.unseen_calls, 1U);
  EXPECT_EQ(audited(snapshot_of({failing}), {reaped({0}, 6)}).coverage.complete, kUnknown);
}

TEST(Audit, a_figure_that_could_not_be_read_is_unaudited) {
  Audit found = audited(snapshot_of({image(0, 10)}), {reaped({0}, std::nullopt)});
  EXPECT_EQ(figures(found.coverage), "0/0/0/10");
  EXPECT_EQ(found.coverage.complete, kUnknown);
  EXPECT_TRUE(reason_for(found.coverage, 100).starts_with("the kernel's count could not be read"));
  EXPECT_EQ(found.coverage.unaudited.at(0).command, "name0");
}

TEST(Audit, a_process_that_dumped_core_is_unaudited) {
  ReapedProcess process = reaped({0}, 500);
  process.core_dumped = true;
  Audit found = audited(snapshot_of({image(0, 10)}), {process});
  EXPECT_EQ(figures(found.coverage), "0/0/0/10");
  EXPECT_EQ(found.coverage.complete, kUnknown);
  EXPECT_TRUE(reason_for(found.coverage, 100).starts_with("it dumped core"));
}

TEST(Audit, below_a_parent_that_ignores_its_children_the_kernel_drops_counts) {
  ImageSnapshot parent = image(0, 10);
  parent.flags = kImageIgnoresChildren;
  const Snapshot snapshot = snapshot_of({parent, child_of(0, image(1, 5))});
  for (uint64_t kernel : {10U, 15U}) {
    Audit found = audited(snapshot, {reaped({0}, kernel)});
    EXPECT_EQ(found.coverage.unseen_calls, 0U);
    EXPECT_EQ(found.coverage.counted_calls, kernel);
    EXPECT_EQ(found.coverage.complete, kUnknown);
    EXPECT_TRUE(reason_for(found.coverage, 101).starts_with("its parent ignores SIGCHLD"));
  }
  EXPECT_EQ(audited(snapshot, {reaped({0}, 16)}).coverage.unseen_calls, 1U);
}

TEST(Audit, what_still_runs_is_in_nobodys_figure) {
  const Snapshot snapshot =
      snapshot_of({image(0, 10), child_of(0, image(1, 5)), child_of(1, image(2, 3))});
  Audit found = audited(snapshot, {reaped({0}, 10)}, {101});
  EXPECT_EQ(figures(found.coverage), "10/10/0/8");
  EXPECT_EQ(found.coverage.complete, kUnknown);
  EXPECT_EQ(reason_for(found.coverage, 101), "still running");
  EXPECT_TRUE(found.running.contains(1));
  EXPECT_EQ(found.running.size(), 1U);
  EXPECT_EQ(found.coverage.unaudited.size(), 1U);
}

TEST(Audit, a_process_that_nobody_reaped_takes_its_descendants_along) {
  Audit found = audited(snapshot_of({image(0, 10), child_of(0, image(1, 5))}), {});
  EXPECT_EQ(figures(found.coverage), "0/0/0/15");
  EXPECT_EQ(reason_for(found.coverage, 100), "nobody is known to have reaped it");
  EXPECT_EQ(reason_for(found.coverage, 101), "an ancestor's count is not known");
  EXPECT_EQ(found.coverage.unaudited.at(0).command, "program0");
}

TEST(Audit, living_children_that_were_never_heard_of_are_named) {
  AuditInput input;
  input.reaped = {reaped({0}, 10)};
  input.living = {{101, "known"}, {999, "unheard of"}};
  input.is_running = [](int pid, uint64_t) { return pid == 101; };
  Audit found = audit(snapshot_of({image(0, 10), child_of(0, image(1, 5))}), input);
  EXPECT_EQ(reason_for(found.coverage, 101), "still running");
  EXPECT_TRUE(reason_for(found.coverage, 999).starts_with("still running, and never heard of"));
  EXPECT_EQ(found.coverage.unaudited.size(), 2U);
  EXPECT_EQ(found.coverage.complete, kUnknown);
}

// An image that waited `slow` times in a pipe, and lets the kernel restart its calls.
ImageSnapshot restarting(uint64_t slow) {
  ImageSnapshot result = image(0, 10);
  result.flags = kImageRestartsCalls;
  result.records[0].kind = TargetKind::pipe;
  result.records[0].tally.times[15] = slow;
  result.records[0].tally.times[14] = 10 - slow;
  return result;
}

TEST(Audit, calls_that_the_kernel_restarted_may_explain_an_excess) {
  Audit found = audited(snapshot_of({restarting(2)}), {reaped({0}, 12)});
  EXPECT_EQ(found.coverage.unseen_calls, 2U);
  EXPECT_EQ(found.perhaps_restarts, 2U);
  EXPECT_EQ(found.coverage.complete, kUnknown);
  ASSERT_TRUE(found.coverage.note);
  EXPECT_NE(found.coverage.note->find("restarts"), std::string::npos);
}

TEST(Audit, an_excess_where_no_call_could_be_restarted_is_unseen) {
  EXPECT_EQ(audited(snapshot_of({restarting(2)}), {reaped({0}, 13)}).coverage.complete, kUnknown);
  ImageSnapshot without_handler = restarting(2);
  without_handler.flags = 0;
  EXPECT_EQ(audited(snapshot_of({without_handler}), {reaped({0}, 12)}).coverage.complete, false);
  ImageSnapshot to_a_file = restarting(2);
  to_a_file.records[0].kind = TargetKind::file;
  EXPECT_EQ(audited(snapshot_of({to_a_file}), {reaped({0}, 12)}).coverage.complete, false);
}

TEST(Audit, restarts_in_one_process_excuse_nothing_in_another) {
  Audit found = audited(snapshot_of({restarting(2), child_of(0, image(1, 5))}),
                        {reaped({0}, 12), reaped({1}, 6)});
  EXPECT_EQ(found.coverage.unseen_calls, 3U);
  EXPECT_EQ(found.coverage.complete, false);
}

TEST(Audit, an_image_that_was_not_instrumented_leaves_it_open) {
  ImageSnapshot announced = successor_of(0, image(1));
  announced.attached = false;
  Audit found = audited(snapshot_of({image(0, 10), announced}), {reaped({0, 1}, 10)});
  EXPECT_EQ(found.coverage.not_instrumented, 1U);
  EXPECT_EQ(found.coverage.complete, kUnknown);
  found = audited(snapshot_of({image(0, 10), announced}), {reaped({0, 1}, 11)});
  EXPECT_EQ(found.coverage.complete, false);
}

TEST(Audit, images_that_found_no_room_are_not_instrumented) {
  Snapshot snapshot = snapshot_of({image(0, 10)});
  snapshot.failed_attaches = 3;
  Audit found = audited(snapshot, {reaped({0}, 10)});
  EXPECT_EQ(found.coverage.not_instrumented, 3U);
  EXPECT_EQ(found.coverage.complete, kUnknown);
  EXPECT_NE(found.coverage.note->find("images not counted: 3"), std::string::npos);
}

TEST(Audit, calls_that_found_no_room_are_known_to_be_missing) {
  ImageSnapshot full = image(0, 10);
  full.overflow_calls = 4;
  Audit found = audited(snapshot_of({full}), {reaped({0}, 14)});
  EXPECT_EQ(found.coverage.unseen_calls, 0U);
  EXPECT_EQ(found.coverage.complete, false);
  Snapshot snapshot = snapshot_of({image(0, 10)});
  snapshot.overflow_calls = 1;
  EXPECT_EQ(audited(snapshot, {reaped({0}, 10)}).coverage.complete, false);
}

TEST(Audit, without_following_that_is_noted) {
  AuditInput input;
  input.reaped = {reaped({0}, 10)};
  input.followed = false;
  input.is_running = [](int, uint64_t) { return false; };
  Audit found = audit(snapshot_of({image(0, 10)}), input);
  EXPECT_TRUE(found.coverage.note->starts_with("--no-follow"));
  EXPECT_EQ(found.coverage.complete, true);
}

TEST(Audit, the_exit_belongs_to_the_last_image_of_its_process) {
  ReapedProcess killed = reaped({0, 1}, 10);
  killed.exit = {std::nullopt, "SIGKILL"};
  Audit found = audited(snapshot_of({image(0, 10), successor_of(0, image(1))}), {killed});
  EXPECT_FALSE(found.exits.contains(0));
  EXPECT_EQ(found.exits.at(1).signal, "SIGKILL");
}

}  // namespace
}  // namespace iotrace
