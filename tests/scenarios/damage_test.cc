// Scenarios: the machine or the installation is not as it should be. The program must not be harmed
// by that, and nothing may be claimed that was not seen.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/command.h"
#include "tests/support/json_match.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

void mount_or_fail(const char* source, const std::string& target, const char* type,
                   unsigned long flags, const char* options) {
  if (mount(source, target.c_str(), type, flags, options) != 0) {
    perror(target.c_str());
    _exit(99);
  }
}

// Namespaces of its own, so that what is mounted in the child is seen by nobody else.
void leave_the_mounts_of_others() {
  if (unshare(CLONE_NEWNS) != 0) _exit(99);
  mount_or_fail(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
}

bool can_mount() {
  Command command({"true"});
  return running_as_root() && command.in_child(leave_the_mounts_of_others).wait().code == 0;
}

// Either it says why it does not start, or the program runs as if nothing were wrong.
void expect_refusal_or_a_normal_run(const Outcome& outcome) {
  EXPECT_EQ(outcome.signal, 0) << outcome;
  if (outcome.code == 125) {
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err, "");
  } else {
    EXPECT_EQ(outcome.code, 3) << outcome;
    EXPECT_EQ(outcome.out, "one\ntwo\n");
  }
}

const std::vector<std::string> kProgram = {"sh", "-c", "echo one; /bin/echo two; exit 3"};

TEST(Damage, no_room_for_the_arena) {
  if (!can_mount()) GTEST_SKIP() << "cannot mount here";
  for (const char* size : {"size=4k", "size=64k", "nr_inodes=1"}) {
    TempDir dir;
    // The product may lie under /tmp itself: a second way to it stays open when /tmp is covered.
    const std::string build = std::filesystem::path(iotrace_binary()).parent_path().parent_path();
    std::vector<std::string> argv = {"/mnt/bin/iotrace", "--"};
    argv.insert(argv.end(), kProgram.begin(), kProgram.end());
    Command command(argv);
    command.in_child([&] {
      leave_the_mounts_of_others();
      mount_or_fail(build.c_str(), "/mnt", nullptr, MS_BIND | MS_REC, nullptr);
      mount_or_fail("none", "/dev/shm", "tmpfs", 0, size);
      mount_or_fail("none", "/tmp", "tmpfs", 0, size);
    });
    SCOPED_TRACE(size);
    expect_refusal_or_a_normal_run(command.wait());
  }
}

TEST(Damage, no_proc) {
  if (!can_mount()) GTEST_SKIP() << "cannot mount here";
  Command command(kProgram);
  command.in_child([] {
    leave_the_mounts_of_others();
    mount_or_fail("none", "/proc", "tmpfs", 0, "size=4k");
  });
  Outcome outcome = command.traced().wait();
  expect_refusal_or_a_normal_run(outcome);
  if (outcome.report.is_object()) {
    EXPECT_NE(outcome.report.at("coverage").at("complete"), true) << outcome.report;
  }
}

TEST(Damage, the_library_is_missing) {
  TempDir dir;
  const std::string iotrace = install_copy(dir.path());
  std::filesystem::remove(dir.file("lib/libiotrace.so"));
  Outcome outcome = Command(kProgram).traced_by(iotrace).wait();
  EXPECT_EQ(outcome.code, 125) << outcome;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("libiotrace.so"), std::string::npos) << outcome;
}

TEST(Damage, a_library_that_is_not_ours) {
  TempDir dir;
  const std::string iotrace = install_copy(dir.path());
  std::filesystem::copy_file(victim("libstranger.so"), dir.file("lib/libiotrace.so"),
                             std::filesystem::copy_options::overwrite_existing);
  Outcome outcome = Command(kProgram).traced_by(iotrace).wait();
  expect_refusal_or_a_normal_run(outcome);
  if (outcome.report.is_object()) {
    EXPECT_TRUE(matches(outcome.report.at("coverage"),
                        R"({"complete": false, "counted_calls": 0, "kernel_calls": 2})"));
  }
}

TEST(Damage, a_copy_works_from_a_path_with_blanks_and_colons) {
  TempDir dir;
  const std::string iotrace = install_copy(dir.file("a b:c"));
  Outcome outcome = Command(kProgram).traced_by(iotrace).wait();
  EXPECT_EQ(outcome.code, 3) << outcome;
  EXPECT_EQ(outcome.stream("stdout").at("calls"), 2);
}

TEST(Damage, a_killed_launcher_leaves_the_program_running_and_the_next_run_sweeps) {
  TempDir dir;
  Command command({"sh", "-c", "echo \"$LD_PRELOAD\"; read line; echo alive >alive"});
  int release[2];
  ASSERT_EQ(pipe2(release, O_CLOEXEC), 0);
  command.in_child([&] { dup2(release[0], 0); });
  command.in_directory(dir.path()).traced().start();
  ASSERT_TRUE(command.wait_for_output("\n"));
  command.send(SIGKILL);
  Outcome killed = command.wait();
  EXPECT_EQ(killed.signal, SIGKILL);

  const size_t name = killed.out.rfind("/iotrace.");
  ASSERT_NE(name, std::string::npos) << killed;
  const size_t start = killed.out.find_last_of(": ", name) + 1;
  const std::string leftover = killed.out.substr(start, killed.out.find('/', name + 1) - start);

  EXPECT_EQ(traced({"true"}).code, 0);
  EXPECT_FALSE(file_exists(leftover)) << leftover;
  ASSERT_EQ(write(release[1], "\n", 1), 1);
  for (int i = 0; i < 500 && !file_exists(dir.file("alive")); ++i) usleep(10000);
  EXPECT_TRUE(file_exists(dir.file("alive")));
  close(release[0]);
  close(release[1]);
}

TEST(Damage, nothing_is_left_behind_by_a_normal_run) {
  Outcome outcome = traced({"sh", "-c", "echo \"$LD_PRELOAD\""});
  const std::string link = outcome.out.substr(0, outcome.out.find_first_of(": \n"));
  ASSERT_NE(link, "");
  EXPECT_FALSE(file_exists(std::filesystem::path(link).parent_path()));
}

TEST(Damage, an_ordinary_user_gets_the_same_report) {
  if (!running_as_root()) GTEST_SKIP() << "only root can become another user";
  TempDir dir;
  const std::string iotrace = install_copy(dir.path());
  Command command(kProgram);
  Outcome outcome = command.as_nobody().traced_by(iotrace).wait();
  EXPECT_EQ(outcome.code, 3) << outcome;
  EXPECT_TRUE(matches(outcome.stream("stdout"), R"({"calls": 2, "bytes": 8})"));
  EXPECT_TRUE(matches(outcome.report.at("coverage"), R"({
    "complete": true, "kernel_calls": 2, "counted_calls": 2, "not_instrumented": 0})"));
}

}  // namespace
}  // namespace iotrace::test
