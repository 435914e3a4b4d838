// The course of a run: results, who is reaped and shown to the observer, and the launcher's own
// end. What the program inherits is in launch_state_test.cc, signals in launch_signals_test.cc,
// stopping in launch_stops_test.cc, programs that cannot be executed in launch_exec_test.cc.
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include <optional>

#include "launch_harness.h"

namespace iotrace {
namespace {

[[noreturn]] void victim_three_writes() {
  for (int i = 0; i < 3; ++i) {
    if (write(kReportFd, "x", 1) != 1) _exit(1);
  }
  _exit(0);
}

// Has a grandchild that it does not know of, and ends when that one has been reaped by somebody
// else.
[[noreturn]] void victim_orphan() {
  int ends[2];
  if (pipe(ends) != 0) _exit(1);
  if (fork() == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(7);
    const bool told = write(ends[1], &grandchild, sizeof grandchild) == sizeof grandchild;
    _exit(told ? 0 : 1);
  }
  pid_t orphan = 0;
  if (read(ends[0], &orphan, sizeof orphan) != sizeof orphan) _exit(1);
  wait(nullptr);
  while (kill(orphan, 0) == 0) usleep(1000);
  _exit(3);
}

// Ends while its child waits for the other end of kReportFd to be closed.
[[noreturn]] void victim_outlived() {
  if (fork() != 0) _exit(4);
  char byte;
  while (read(kReportFd, &byte, 1) > 0) continue;
  _exit(5);
}

__attribute__((constructor)) void become_victim() {
  const char* name = getenv("LAUNCH_VICTIM");
  if (name == nullptr) return;
  if (strcmp(name, "three_writes") == 0) victim_three_writes();
  if (strcmp(name, "orphan") == 0) victim_orphan();
  if (strcmp(name, "outlived") == 0) victim_outlived();
}

LaunchResult result_of(std::vector<std::string> command) {
  return ForkedLauncher(program_request(std::move(command))).finish().result;
}

TEST(Launch, exit_code_is_reported) {
  const LaunchResult result = result_of({"sh", "-c", "exit 42"});
  EXPECT_EQ(result.exec_errno, 0);
  EXPECT_EQ(result.launch_errno, 0);
  EXPECT_FALSE(result.signaled);
  EXPECT_EQ(result.code, 42);
}

TEST(Launch, death_by_signal_is_reported) {
  const LaunchResult result = result_of({"sh", "-c", "kill -KILL $$"});
  EXPECT_TRUE(result.signaled);
  EXPECT_EQ(result.code, SIGKILL);
  EXPECT_FALSE(result.core_dumped);
}

TEST(Launch, times_and_memory_are_plausible) {
  const LaunchResult result =
      result_of({"sh", "-c", "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done"});
  EXPECT_GT(result.user_s, 0);
  EXPECT_GT(result.real_s, 0);
  EXPECT_GE(result.max_rss_bytes, 100'000U);
  EXPECT_EQ(result.max_rss_bytes % 1024, 0U);
}

TEST(Launch, real_time_covers_sleeping) { EXPECT_GE(result_of({"sleep", "0.1"}).real_s, 0.1); }

TEST(Launch, observer_ticks_while_the_program_runs) {
  ForkedLauncher launcher(program_request({"sleep", "0.3"}));
  const LaunchRecord& record = launcher.finish();
  EXPECT_EQ(record.created_calls, 1);
  EXPECT_GE(record.ticks, 2);
}

TEST(Launch, no_command_is_an_error) { EXPECT_EQ(result_of({}).launch_errno, EINVAL); }

TEST(Launch, sigchld_ignored_on_entry_does_not_lose_the_status) {
  ForkedLauncher launcher(program_request({"sh", "-c", "exit 6"}),
                          [] { signal(SIGCHLD, SIG_IGN); });
  EXPECT_EQ(launcher.finish().result.code, 6);
}

TEST(Launch, observer_can_read_the_kernels_count_of_a_zombie) {
  if (geteuid() != 0)
    GTEST_SKIP() << "needs root: otherwise the file must be opened while the process lives";
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  ForkedLauncher launcher(victim_request("three_writes"), [null] { dup2(null, kReportFd); });
  close(null);
  const LaunchRecord& record = launcher.finish();
  ASSERT_EQ(record.reaped_count, 1);
  EXPECT_EQ(record.reaped[0].pid, record.result.pid);
  EXPECT_EQ(record.reaped[0].write_calls, 3);  // none of the launcher's own between fork and exec
}

TEST(Launch, orphans_come_to_the_launcher_and_are_shown) {
  ForkedLauncher launcher(victim_request("orphan"));
  const LaunchRecord& record = launcher.finish();
  EXPECT_EQ(record.result.code, 3);
  ASSERT_EQ(record.reaped_count, 2);
  EXPECT_EQ(record.reaped[0].code, CLD_EXITED);
  EXPECT_EQ(record.reaped[0].status, 7);
  EXPECT_EQ(record.reaped[1].pid, record.result.pid);
}

class LaunchOutlived : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pipe2(ends_, O_CLOEXEC), 0); }
  void TearDown() override { close(ends_[0]); }

  ForkedLauncher& start(bool wait_all) {
    LaunchRequest request = victim_request("outlived");
    request.wait_all = wait_all;
    launcher_.emplace(request, [this] {
      dup2(ends_[0], kReportFd);
      close(ends_[1]);
    });
    return *launcher_;
  }
  void release_descendant() { close(ends_[1]); }

  int ends_[2];
  std::optional<ForkedLauncher> launcher_;
};

TEST_F(LaunchOutlived, run_ends_with_the_program) {
  const LaunchRecord& record = start(false).finish();
  EXPECT_EQ(record.result.code, 4);
  EXPECT_EQ(record.reaped_count, 1);
  release_descendant();
}

TEST_F(LaunchOutlived, wait_all_waits_for_descendants) {
  ForkedLauncher& launcher = start(true);
  while (launcher.record().reaped_count == 0) usleep(1000);
  release_descendant();
  const LaunchRecord& record = launcher.finish();
  EXPECT_EQ(record.result.code, 4);
  ASSERT_EQ(record.reaped_count, 2);
  EXPECT_EQ(record.reaped[0].pid, record.result.pid);
  EXPECT_EQ(record.reaped[1].status, 5);
}

TEST_F(LaunchOutlived, wait_all_is_ended_by_sigterm) {
  ForkedLauncher& launcher = start(true);
  while (launcher.record().reaped_count == 0) usleep(1000);
  kill(launcher.pid(), SIGTERM);
  const LaunchRecord& record = launcher.finish();
  EXPECT_EQ(record.result.code, 4);
  EXPECT_EQ(record.reaped_count, 1);
  release_descendant();
}

TEST(DieLike, exits_with_the_code) {
  LaunchResult result;
  result.code = 17;
  const int status = status_of([&] { die_like(result); });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 17);
}

TEST(DieLike, dies_of_the_signal_without_a_core_dump_of_its_own) {
  for (const int number : {SIGTERM, SIGSEGV, SIGKILL, SIGPIPE}) {
    LaunchResult result;
    result.signaled = true;
    result.code = number;
    const int status = status_of([&] {
      signal(number, SIG_IGN);
      sigset_t blocked;
      sigfillset(&blocked);
      sigprocmask(SIG_SETMASK, &blocked, nullptr);
      rlimit core = {RLIM_INFINITY, RLIM_INFINITY};
      setrlimit(RLIMIT_CORE, &core);
      die_like(result);
    });
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(WTERMSIG(status), number);
    EXPECT_FALSE(WCOREDUMP(status));
  }
}

}  // namespace
}  // namespace iotrace
