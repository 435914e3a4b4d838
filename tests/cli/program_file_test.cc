// Tests of cli/program_file: how the first program is found, and why it may not answer.
#include "cli/program_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/interpose/executable_bytes.h"

namespace iotrace {
namespace {

class FirstProgram : public testing::Test {
 protected:
  void SetUp() override { before_ = getenv("PATH"); }
  void TearDown() override { setenv("PATH", before_.c_str(), 1); }

  NotInstrumented reason(const std::string& bytes, mode_t mode = 0755) {
    return inspect_first_program(folder_.add("program", bytes, mode)).reason;
  }
  bool can_preload(const std::string& bytes) {
    return inspect_first_program(folder_.add("program", bytes)).can_preload;
  }

  ProgramFolder folder_, other_folder_;
  std::string before_;
};

TEST_F(FirstProgram, tells_why_it_may_not_answer) {
  EXPECT_EQ(reason(dynamic_executable()), NotInstrumented::unknown);
  EXPECT_EQ(reason(static_executable()), NotInstrumented::static_program);
  EXPECT_EQ(reason(narrow_executable()), NotInstrumented::foreign_class);
  EXPECT_EQ(reason(musl_executable()), NotInstrumented::other_libc);
  EXPECT_EQ(reason("echo hello\n"), NotInstrumented::unknown);
  EXPECT_EQ(reason(""), NotInstrumented::unknown);
}

TEST_F(FirstProgram, only_a_loader_that_would_complain_forbids_the_preload) {
  EXPECT_TRUE(can_preload(dynamic_executable()));
  EXPECT_TRUE(can_preload(static_executable()));
  EXPECT_FALSE(can_preload(narrow_executable()));
  EXPECT_FALSE(can_preload(musl_executable()));
}

TEST_F(FirstProgram, a_script_is_its_interpreter_as_deep_as_the_kernel_goes) {
  std::string path = folder_.add("interpreter", musl_executable());
  for (int depth = 1; depth <= 4; ++depth) {
    path = folder_.add("script" + std::to_string(depth), "#!" + path + " -x\n");
    EXPECT_EQ(inspect_first_program(path).reason, NotInstrumented::other_libc) << depth;
  }
  path = folder_.add("script5", "#!" + path + "\n");
  EXPECT_EQ(inspect_first_program(path).reason, NotInstrumented::unknown);
}

TEST_F(FirstProgram, of_other_rights_is_setuid) {
  if (geteuid() != 0) GTEST_SKIP() << "giving a file away needs root";
  std::string path = folder_.add("program", dynamic_executable());
  ASSERT_EQ(chown(path.c_str(), 1, 1), 0);
  for (mode_t mode : {04755, 02755}) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    EXPECT_EQ(inspect_first_program(path).reason, NotInstrumented::setuid);
  }
  for (mode_t mode : {0755, 02745}) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    EXPECT_EQ(inspect_first_program(path).reason, NotInstrumented::unknown);
  }
}

TEST_F(FirstProgram, with_ones_own_rights_is_not) {
  EXPECT_EQ(reason(dynamic_executable(), 06755), NotInstrumented::unknown);
}

TEST_F(FirstProgram, is_searched_for_as_execvp_does) {
  folder_.add("program", static_executable(), 0644);
  std::filesystem::create_directory(folder_.path() + "/directory");
  other_folder_.add("program", musl_executable());
  other_folder_.add("directory", musl_executable());
  setenv("PATH", ("/nowhere:" + folder_.path() + ":" + other_folder_.path()).c_str(), 1);
  EXPECT_EQ(inspect_first_program("program").reason, NotInstrumented::other_libc);
  EXPECT_EQ(inspect_first_program("directory").reason, NotInstrumented::other_libc);
  folder_.add("program", static_executable());
  EXPECT_EQ(inspect_first_program("program").reason, NotInstrumented::static_program);
}

TEST_F(FirstProgram, an_empty_entry_of_the_path_is_the_working_directory) {
  folder_.add("program", static_executable());
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  setenv("PATH", "/nowhere:", 1);
  EXPECT_EQ(inspect_first_program("program").reason, NotInstrumented::static_program);
  std::filesystem::current_path(before);
}

TEST_F(FirstProgram, without_a_path_is_searched_for_in_the_usual_places) {
  unsetenv("PATH");
  EXPECT_EQ(inspect_first_program("sh").reason, NotInstrumented::unknown);
  EXPECT_EQ(inspect_first_program("no-such-program").reason, NotInstrumented::unknown);
}

TEST_F(FirstProgram, one_that_is_not_there_is_left_for_the_exec) {
  ProgramFile file = inspect_first_program(folder_.path() + "/none");
  EXPECT_EQ(file.reason, NotInstrumented::unknown);
  EXPECT_TRUE(file.can_preload);
  EXPECT_TRUE(inspect_first_program(folder_.path()).can_preload);
}

}  // namespace
}  // namespace iotrace
