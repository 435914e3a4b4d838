// Tests of process_is_running in cli/audit, on living, ended and mistaken processes.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/audit.h"

namespace iotrace {
namespace {

uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

TEST(ProcessIsRunning, this_one_is) {
  EXPECT_TRUE(process_is_running(getpid(), monotonic_ns()));
  EXPECT_TRUE(process_is_running(getpid(), 0));
}

TEST(ProcessIsRunning, one_that_started_after_the_image_is_another) {
  EXPECT_FALSE(process_is_running(getpid(), 1));
}

TEST(ProcessIsRunning, without_a_number_there_is_none) {
  EXPECT_FALSE(process_is_running(0, 0));
  EXPECT_FALSE(process_is_running(-1, 0));
}

TEST(ProcessIsRunning, a_zombie_has_ended) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(process_is_running(child, monotonic_ns()));
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(process_is_running(child, monotonic_ns()));
}

}  // namespace
}  // namespace iotrace
