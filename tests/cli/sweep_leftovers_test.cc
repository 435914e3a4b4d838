// Tests of sweep_leftovers in cli/arena_file: what dead launchers left is removed, and nothing
// else.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/arena_file.h"
#include "tests/cli/redirected.h"

namespace iotrace {
namespace {

namespace fs = std::filesystem;

// A directory that looks like a launcher's. Other launchers on the machine sweep as well: what is
// to stay must look alive from the start.
class SweepLeftovers : public testing::Test {
 protected:
  void SetUp() override {
    remember_inherited_state();
    std::string name = "/dev/shm/iotrace.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { fs::remove_all(directory_); }

  // A directory in which a launcher has not made its file for that many seconds.
  void set_age(time_t seconds) {
    timespec times[2] = {{0, UTIME_OMIT}, {time(nullptr) - seconds, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, directory_.c_str(), times, 0), 0);
  }
  bool is_there() const { return fs::exists(fs::symlink_status(directory_)); }

  fs::path directory_;
};

TEST_F(SweepLeftovers, removes_a_directory_whose_file_nobody_locks) {
  std::ofstream(directory_ / "0123456789abcdef") << "x";
  fs::create_symlink("/lib/libiotrace.so", directory_ / "libiotrace.so");
  sweep_leftovers();
  EXPECT_FALSE(is_there());
}

TEST_F(SweepLeftovers, leaves_one_that_is_locked) {
  // Names that begin with a dot are no memory files: this one becomes one when it is locked.
  fs::path file = directory_ / "0123456789abcdef";
  int fd = open((directory_ / ".new").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(flock(fd, LOCK_EX | LOCK_NB), 0);
  fs::rename(directory_ / ".new", file);
  sweep_leftovers();
  EXPECT_TRUE(fs::exists(file));
  close(fd);
  sweep_leftovers();
  EXPECT_FALSE(is_there());
}

TEST_F(SweepLeftovers, removes_one_that_another_run_is_looking_at_too) {
  fs::path file = directory_ / "0123456789abcdef";
  std::ofstream(file) << "x";
  int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(fd, LOCK_SH | LOCK_NB), 0);
  sweep_leftovers();
  EXPECT_FALSE(is_there());
  close(fd);
}

TEST_F(SweepLeftovers, leaves_that_of_a_launcher_that_is_just_starting) {
  sweep_leftovers();
  EXPECT_TRUE(is_there());
}

TEST_F(SweepLeftovers, removes_one_that_has_never_got_a_file) {
  set_age(3600);
  sweep_leftovers();
  EXPECT_FALSE(is_there());
}

TEST_F(SweepLeftovers, leaves_that_of_another_user) {
  if (geteuid() != 0) GTEST_SKIP() << "giving a directory away needs root";
  ASSERT_EQ(chown(directory_.c_str(), 12345, 12345), 0);
  set_age(3600);
  sweep_leftovers();
  EXPECT_TRUE(is_there());
}

TEST_F(SweepLeftovers, does_not_follow_a_link_of_that_name) {
  std::string target = "/dev/shm/sweep_target.XXXXXX";
  ASSERT_NE(mkdtemp(target.data()), nullptr);
  std::ofstream(target + "/file") << "x";
  fs::remove(directory_);
  fs::create_symlink(target, directory_);
  sweep_leftovers();
  EXPECT_TRUE(is_there());
  EXPECT_TRUE(fs::exists(target + "/file"));
  fs::remove_all(target);
}

TEST_F(SweepLeftovers, leaves_directories_of_other_names) {
  std::string name = "/dev/shm/iotracer.XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  std::ofstream(name + "/file") << "x";
  sweep_leftovers();
  EXPECT_TRUE(fs::exists(name + "/file"));
  fs::remove_all(name);
}

TEST_F(SweepLeftovers, leaves_the_arena_of_a_living_launcher) {
  auto arena = ArenaFile::create({.library = "/lib/libiotrace.so"});
  ASSERT_TRUE(std::holds_alternative<ArenaFile>(arena));
  std::string library;
  for (const std::string& variable : std::get<ArenaFile>(arena).environment(true)) {
    if (variable.starts_with("LD_PRELOAD=")) library = variable.substr(variable.rfind(':') + 1);
  }
  if (library.starts_with("LD_PRELOAD=")) library = library.substr(11);
  sweep_leftovers();
  EXPECT_TRUE(fs::is_symlink(library)) << library;
}

}  // namespace
}  // namespace iotrace
