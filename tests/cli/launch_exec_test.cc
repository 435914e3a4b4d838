// Programs that cannot be executed: the errno that run() reports, the exit code and the line that
// tells the user what to do. Each case makes its file in a directory of its own.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "launch.h"
#include "launch_harness.h"

namespace iotrace {
namespace {

class LaunchExec : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "launch_exec.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string make_file(const std::string& name, const std::string& content, mode_t mode) {
    std::string path = directory_ + "/" + name;
    std::ofstream(path) << content;
    chmod(path.c_str(), mode);
    return path;
  }

  // Runs it, in vain; with the directory as the whole PATH.
  void expect_failure(const std::string& program, int exit_code, const std::string& reason) {
    const std::string path = getenv("PATH");
    setenv("PATH", directory_.c_str(), 1);
    ForkedLauncher launcher(program_request({program, "argument"}));
    const LaunchRecord& record = launcher.finish();
    const int error = record.result.exec_errno;
    EXPECT_NE(error, 0);
    EXPECT_EQ(record.reaped_count, 0);
    EXPECT_EQ(exec_failure_exit_code(program, error), exit_code);
    EXPECT_EQ(exec_failure_message(program, error), "cannot run '" + program + "': " + reason);
    setenv("PATH", path.c_str(), 1);
  }

  std::string directory_;
};

TEST_F(LaunchExec, name_that_is_not_in_path) {
  expect_failure("no-such-program", 127,
                 "not found in PATH (check the spelling, or give its path)");
}

TEST_F(LaunchExec, name_of_a_file_in_the_current_directory) {
  make_file("here", "", 0755);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory_);
  const std::string directory = directory_;
  directory_ = "/nonexistent";
  expect_failure("here", 127, "not found in PATH (for the file in this directory try ./here)");
  directory_ = directory;
  std::filesystem::current_path(before);
}

TEST_F(LaunchExec, path_that_does_not_exist) {
  expect_failure(directory_ + "/missing", 127, "no such file (check the path)");
}

TEST_F(LaunchExec, empty_name) { expect_failure("", 127, "its name is empty"); }

TEST_F(LaunchExec, symbolic_link_to_nothing) {
  const std::string path = directory_ + "/link";
  std::filesystem::create_symlink("nothing", path);
  expect_failure(path, 127, "it is a symbolic link to a file that is not there");
}

TEST_F(LaunchExec, file_that_is_not_executable) {
  const std::string path = make_file("plain", "#!/bin/sh\n", 0644);
  expect_failure(path, 126, "not executable (try chmod +x " + path + ")");
}

TEST_F(LaunchExec, file_in_path_that_is_not_executable) {
  const std::string path = make_file("plain", "#!/bin/sh\n", 0644);
  expect_failure("plain", 126, "not executable (try chmod +x " + path + ")");
}

TEST_F(LaunchExec, directory) {
  expect_failure(directory_, 126, "it is a directory (name a program in it)");
}

TEST_F(LaunchExec, path_through_a_file) {
  expect_failure(make_file("plain", "", 0644) + "/x", 126, "a part of its path is not a directory");
}

TEST_F(LaunchExec, script_whose_interpreter_is_missing) {
  const std::string path = make_file("script", "#! /no/such/shell -e\nexit 0\n", 0755);
  const std::string reason =
      "its interpreter /no/such/shell is missing (install it, or correct the first line of " +
      path + ")";
  expect_failure(path, 126, reason);
  expect_failure("script", 126, reason);
}

TEST_F(LaunchExec, script_with_carriage_returns) {
  const std::string path = make_file("script", "#!/bin/sh\r\nexit 0\r\n", 0755);
  expect_failure(path, 126,
                 "its first line ends in a carriage return (try sed -i 's/\\r$//' " + path + ")");
}

TEST_F(LaunchExec, program_whose_loader_is_missing) {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::string program(std::istreambuf_iterator<char>(self), {});
  const size_t loader = program.find("/lib64/ld-linux");
  if (loader == std::string::npos) GTEST_SKIP() << "this test was linked otherwise";
  program[loader + 1] = '#';
  expect_failure(make_file("program", program, 0755), 126,
                 "its program loader is missing (built for another system or C library?)");
}

TEST_F(LaunchExec, file_that_is_open_for_writing) {
  const std::string path = make_file("busy", "#!/bin/sh\n", 0755);
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  expect_failure(path, 126, "it is open for writing (wait until it has been built)");
  close(fd);
}

TEST_F(LaunchExec, failure_is_reported_with_all_standard_descriptors_closed) {
  ForkedLauncher launcher(program_request({"/no/such/program"}), [] {
    for (int fd = 0; fd <= 2; ++fd) close(fd);
  });
  EXPECT_EQ(launcher.finish().result.exec_errno, ENOENT);
}

TEST_F(LaunchExec, too_many_arguments) {
  ForkedLauncher launcher(program_request({"/bin/true", std::string(200'000, 'x')}));
  const int error = launcher.finish().result.exec_errno;
  EXPECT_EQ(error, E2BIG);
  EXPECT_EQ(exec_failure_exit_code("/bin/true", error), 126);
}

TEST_F(LaunchExec, script_without_interpreter_line_is_run_by_the_shell) {
  ForkedLauncher launcher(program_request({make_file("script", "exit 3\n", 0755)}));
  const LaunchResult& result = launcher.finish().result;
  EXPECT_EQ(result.exec_errno, 0);
  EXPECT_EQ(result.code, 3);
}

TEST_F(LaunchExec, program_is_searched_in_the_launchers_path) {
  make_file("script", "#!/bin/sh\ntest \"$0\" = \"$1\" && test \"$PATH\" = /other && exit 9\n",
            0755);
  const std::string path = getenv("PATH");
  setenv("PATH", directory_.c_str(), 1);
  ForkedLauncher launcher({{"script", directory_ + "/script"}, {"PATH=/other"}, false});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(launcher.finish().result.code, 9);
}

}  // namespace
}  // namespace iotrace
