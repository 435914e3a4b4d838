// Tests of interpose/program_file: the reason that is given if a program does not answer, the path
// that it will see, and the search for it.
#include "interpose/program_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/interpose/arena_fixture.h"
#include "tests/interpose/executable_bytes.h"

namespace iotrace {
namespace {

class InspectProgram : public testing::Test {
 protected:
  ProgramFile inspect(const std::string& bytes, mode_t mode = 0755) {
    return inspect_program(folder_.add("program", bytes, mode).c_str(), -1);
  }
  ProgramFolder folder_;
};

std::string path_of(const ProgramFile& file) { return std::string(file.path, file.path_length); }

TEST_F(InspectProgram, tells_why_it_may_not_answer) {
  EXPECT_EQ(inspect(dynamic_executable()).reason, NotInstrumented::unknown);
  EXPECT_EQ(inspect(static_executable()).reason, NotInstrumented::static_program);
  EXPECT_EQ(inspect(narrow_executable()).reason, NotInstrumented::foreign_class);
  EXPECT_EQ(inspect(musl_executable()).reason, NotInstrumented::other_libc);
}

TEST_F(InspectProgram, only_a_loader_that_would_complain_forbids_the_preload) {
  EXPECT_TRUE(inspect(dynamic_executable()).can_preload);
  EXPECT_TRUE(inspect(static_executable()).can_preload);
  EXPECT_FALSE(inspect(narrow_executable()).can_preload);
  EXPECT_FALSE(inspect(musl_executable()).can_preload);
}

TEST_F(InspectProgram, of_other_rights_is_setuid) {
  std::string path = folder_.add("program", dynamic_executable());
  if (geteuid() != 0) GTEST_SKIP() << "giving a file away needs root";
  ASSERT_EQ(chown(path.c_str(), 1, 1), 0);
  ASSERT_EQ(chmod(path.c_str(), 04755), 0);
  EXPECT_EQ(inspect_program(path.c_str(), -1).reason, NotInstrumented::setuid);
  ASSERT_EQ(chmod(path.c_str(), 02755), 0);
  EXPECT_EQ(inspect_program(path.c_str(), -1).reason, NotInstrumented::setuid);
  // Without execution for the group that bit means something else.
  ASSERT_EQ(chmod(path.c_str(), 02745), 0);
  EXPECT_EQ(inspect_program(path.c_str(), -1).reason, NotInstrumented::unknown);
}

TEST_F(InspectProgram, with_ones_own_rights_is_not) {
  EXPECT_EQ(inspect(dynamic_executable(), 06755).reason, NotInstrumented::unknown);
}

TEST_F(InspectProgram, a_script_is_its_interpreter) {
  std::string interpreter = folder_.add("interpreter", static_executable());
  ProgramFile file = inspect("#!" + interpreter + " -x\n");
  EXPECT_EQ(file.reason, NotInstrumented::static_program);
  EXPECT_EQ(path_of(file), folder_.path() + "/program");
}

TEST_F(InspectProgram, a_nested_script_is_followed_as_deep_as_the_kernel_does) {
  std::string path = folder_.add("interpreter", musl_executable());
  for (int depth = 1; depth <= 4; ++depth) {
    path = folder_.add("script" + std::to_string(depth), "#!" + path + "\n");
    EXPECT_EQ(inspect_program(path.c_str(), -1).reason, NotInstrumented::other_libc) << depth;
  }
  path = folder_.add("script5", "#!" + path + "\n");
  EXPECT_EQ(inspect_program(path.c_str(), -1).reason, NotInstrumented::unknown);
}

TEST_F(InspectProgram, a_script_that_is_its_own_interpreter_ends) {
  std::string path = folder_.path() + "/self";
  folder_.add("self", "#!" + path + "\n");
  EXPECT_EQ(inspect_program(path.c_str(), -1).reason, NotInstrumented::unknown);
}

TEST_F(InspectProgram, without_a_format_a_shell_gets_another_path) {
  ProgramFile file = inspect("echo hello\n");
  EXPECT_EQ(file.reason, NotInstrumented::unknown);
  EXPECT_EQ(file.path_length, 0U);
}

TEST_F(InspectProgram, one_that_is_not_there_is_left_for_the_exec) {
  ProgramFile file = inspect_program((folder_.path() + "/none").c_str(), -1);
  EXPECT_EQ(file.reason, NotInstrumented::unknown);
  EXPECT_TRUE(file.can_preload);
  EXPECT_EQ(file.path_length, 0U);
  EXPECT_EQ(inspect_program(reinterpret_cast<const char*>(16), -1).path_length, 0U);
  EXPECT_EQ(inspect_program(nullptr, -1).path_length, 0U);
}

TEST_F(InspectProgram, by_descriptor_even_where_that_is_for_execution_alone) {
  std::string path = folder_.add("program", static_executable());
  OpenDescriptor fd(open(path.c_str(), O_PATH | O_CLOEXEC));
  ProgramFile file = inspect_program(nullptr, fd);
  EXPECT_EQ(file.reason, NotInstrumented::static_program);
  EXPECT_EQ(file.path_length, 0U);
}

TEST_F(InspectProgram, keeps_no_descriptor_open) {
  std::string script = "#!" + folder_.add("interpreter", static_executable()) + "\n";
  int before[2];
  for (int& fd : before) fd = open_null_device();
  for (int fd : before) close(fd);
  inspect(script);
  for (int fd : before) EXPECT_EQ(open_null_device(), fd);
  for (int fd : before) close(fd);
}

class SearchPath : public testing::Test {
 protected:
  void SetUp() override {
    const char* path = getenv("PATH");
    before_ = path == nullptr ? "" : path;
  }
  void TearDown() override { setenv("PATH", before_.c_str(), 1); }

  std::string search(const std::string& file, const std::string& directories,
                     size_t capacity = 500) {
    setenv("PATH", directories.c_str(), 1);
    std::string path(500, '?');
    return search_path(file.c_str(), path.data(), capacity) ? path.c_str() : "none";
  }

  ProgramFolder first_, second_;
  std::string before_;
};

TEST_F(SearchPath, takes_the_first_that_can_be_executed) {
  first_.add("program", "x", 0644);
  std::string program = second_.add("program", "x");
  EXPECT_EQ(search("program", "/nowhere:" + first_.path() + ":" + second_.path()), program);
  std::string earlier = first_.add("program", "x", 0755);
  EXPECT_EQ(search("program", first_.path() + ":" + second_.path()), earlier);
}

TEST_F(SearchPath, takes_no_directory) {
  std::filesystem::create_directory(first_.path() + "/program");
  std::string program = second_.add("program", "x");
  EXPECT_EQ(search("program", first_.path() + ":" + second_.path()), program);
}

TEST_F(SearchPath, a_name_with_a_slash_is_not_searched) {
  std::string program = first_.add("program", "x");
  EXPECT_EQ(search(program, "/nowhere"), program);
  EXPECT_EQ(search("./program", first_.path()), "none");
}

TEST_F(SearchPath, an_empty_entry_is_the_working_directory) {
  first_.add("program", "x");
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(first_.path());
  EXPECT_EQ(search("program", "/nowhere::/nowhere"), "program");
  std::filesystem::current_path(before);
}

TEST_F(SearchPath, finds_nothing_without_a_name_or_room) {
  std::string program = first_.add("program", "x");
  EXPECT_EQ(search("", first_.path()), "none");
  EXPECT_EQ(search("other", first_.path()), "none");
  EXPECT_EQ(search("program", first_.path(), program.size() + 1), program);
  EXPECT_EQ(search("program", first_.path(), program.size()), "none");
}

}  // namespace
}  // namespace iotrace
