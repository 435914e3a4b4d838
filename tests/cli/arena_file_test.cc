// Tests of cli/arena_file: the arena's directory and file, its header, and the environment by which
// a program finds it.
#include "cli/arena_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/redirected.h"

namespace iotrace {
namespace {

namespace fs = std::filesystem;
using Variables = std::vector<std::string>;

ArenaFile created(const ArenaOptions& options = {.library = "/opt/lib/libiotrace.so"}) {
  remember_inherited_state();
  auto result = ArenaFile::create(options);
  if (auto* error = std::get_if<std::string>(&result)) throw std::runtime_error(*error);
  return std::move(std::get<ArenaFile>(result));
}

// The value of a variable in the environment that the arena makes, or "none".
std::string value_in(const ArenaFile& arena, const std::string& name, bool preload = true) {
  std::string value = "none";
  for (const std::string& variable : arena.environment(preload)) {
    if (!variable.starts_with(name + "=")) continue;
    EXPECT_EQ(value, "none") << name << " is there twice";
    value = variable.substr(name.size() + 1);
  }
  return value;
}

fs::path file_of(const ArenaFile& arena) {
  std::string value = value_in(arena, "IOTRACE_ARENA");
  return value.substr(0, value.rfind(':'));
}

mode_t mode_of(const fs::path& path) {
  struct stat status = {};
  EXPECT_EQ(lstat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST(ArenaFile, others_may_pass_through_to_the_file_and_not_list_it) {
  ArenaFile arena = created();
  EXPECT_EQ(mode_of(file_of(arena).parent_path()), 0711U);
  EXPECT_EQ(mode_of(file_of(arena)), 0666U);
  EXPECT_EQ(fs::file_size(file_of(arena)), kArenaSize);
}

TEST(ArenaFile, lies_in_a_directory_of_its_own_beside_a_link_to_the_library) {
  ArenaFile arena = created(), other = created();
  fs::path directory = file_of(arena).parent_path();
  EXPECT_TRUE(directory.filename().string().starts_with("iotrace."));
  EXPECT_EQ(fs::read_symlink(directory / "libiotrace.so"), "/opt/lib/libiotrace.so");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory), fs::directory_iterator()), 2);
  EXPECT_NE(file_of(other).parent_path(), directory);
  EXPECT_NE(file_of(other).filename(), file_of(arena).filename());
}

TEST(ArenaFile, takes_little_of_the_memory_that_it_spans) {
  ArenaFile arena = created();
  struct stat status = {};
  ASSERT_EQ(stat(file_of(arena).c_str(), &status), 0);
  EXPECT_LT(status.st_blocks * 512, 1 << 20);
}

// Sets a limit for as long as it lives.
class Limited {
 public:
  Limited(__rlimit_resource resource, rlim_t limit) : resource_(resource) {
    getrlimit(resource, &before_);
    rlimit limited = {limit, before_.rlim_max};
    setrlimit(resource, &limited);
  }
  ~Limited() { setrlimit(resource_, &before_); }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;

 private:
  __rlimit_resource resource_;
  rlimit before_;
};

TEST(ArenaFile, is_smaller_where_a_limit_allows_no_larger) {
  Limited limited(RLIMIT_FSIZE, kSmallestArenaSize + kSegmentSize + 1);
  ArenaFile arena = created();
  EXPECT_EQ(arena.size(), kSmallestArenaSize + kSegmentSize);
  EXPECT_EQ(arena.header()->arena_size, arena.size());
  EXPECT_EQ(fs::file_size(file_of(arena)), arena.size());
}

TEST(ArenaFile, that_would_be_too_small_is_an_error_that_names_the_limit) {
  Limited limited(RLIMIT_FSIZE, kSmallestArenaSize - 1);
  auto result = ArenaFile::create({.library = "/opt/lib/libiotrace.so"});
  ASSERT_TRUE(std::holds_alternative<std::string>(result));
  const std::string& error = std::get<std::string>(result);
  EXPECT_TRUE(error.starts_with("iotrace: ")) << error;
  EXPECT_NE(error.find("ulimit -f"), std::string::npos) << error;
}

TEST(ArenaFile, is_gone_with_the_object_wherever_that_was_moved) {
  fs::path directory;
  {
    ArenaFile arena = created();
    directory = file_of(arena).parent_path();
    ArenaFile moved = std::move(arena);
    EXPECT_EQ(file_of(moved).parent_path(), directory);
    EXPECT_TRUE(fs::exists(directory));
  }
  EXPECT_FALSE(fs::exists(directory));
}

TEST(ArenaFile, is_locked_while_it_lives) {
  ArenaFile arena = created();
  int fd = open(file_of(arena).c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  EXPECT_NE(flock(fd, LOCK_EX | LOCK_NB), 0);
  close(fd);
}

// As a launcher that was killed: its descriptors are closed, but the canary still has its memory.
TEST(ArenaFile, is_not_kept_locked_by_its_mapping) {
  ArenaFile arena = created();
  std::vector<int> own;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // the descriptor that reads the directory
    if (fs::read_symlink(entry, gone) == file_of(arena))
      own.push_back(std::stoi(entry.path().filename()));
  }
  ASSERT_EQ(own.size(), 1U);
  const int placeholder = open("/dev/null", O_RDWR | O_CLOEXEC);
  ASSERT_EQ(dup3(placeholder, own[0], O_CLOEXEC), own[0]);  // for the arena to close
  close(placeholder);

  int fd = open(file_of(arena).c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(flock(fd, LOCK_EX | LOCK_NB), 0);
  close(fd);
}

TEST(ArenaFile, the_header_is_what_the_library_checks) {
  ArenaFile arena = created({.timing = Timing::all, .follow = false, .library = "/lib"});
  const ArenaHeader& header = *arena.header();
  EXPECT_EQ(header.magic, kArenaMagic);
  EXPECT_EQ(header.version, kArenaVersion);
  EXPECT_EQ(header.header_size, sizeof(ArenaHeader));
  EXPECT_EQ(header.arena_size, kArenaSize);
  EXPECT_NE(header.nonce, 0U);
  EXPECT_NE(header.started_ns, 0U);
  EXPECT_EQ(header.timing, Timing::all);
  EXPECT_EQ(header.follow, 0U);
  EXPECT_EQ(header.next_slot, 1U);
  EXPECT_EQ(header.next_segment, 1U);
  char nonce[17];
  snprintf(nonce, sizeof(nonce), "%016lx", header.nonce);
  EXPECT_TRUE(value_in(arena, "IOTRACE_ARENA").ends_with(std::string(":") + nonce));
  EXPECT_EQ(value_in(arena, "IOTRACE_SLOT"), "0");
}

TEST(ArenaFile, no_two_have_the_same_nonce) {
  ArenaFile arena = created(), other = created();
  EXPECT_NE(arena.header()->nonce, other.header()->nonce);
}

TEST(ArenaFile, the_first_program_is_announced_in_slot_0) {
  ArenaFile arena = created();
  arena.announce({"prog", "-x", ""}, NotInstrumented::setuid);
  arena.set_first_pid(4711);
  const Slot& slot = *slots_of(arena.base());
  EXPECT_EQ(state_of(slot), SlotState::announced);
  EXPECT_EQ(slot.pid, 4711);
  const Announcement& announcement = *at<Announcement>(arena.base(), slot.announcement);
  EXPECT_EQ(announcement.in_use, 1U);
  EXPECT_EQ(announcement.expected_reason, NotInstrumented::setuid);
  EXPECT_EQ(std::string(announcement.command, announcement.command_length),
            std::string("prog\0-x\0\0", 9));
  EXPECT_EQ(announcement.command_truncated, 0U);
  EXPECT_EQ(announcement.announcer_slot_plus_one, 0U);
  EXPECT_EQ(announcement.origins[0], Origin::unknown);
  EXPECT_EQ(announcement.origins[1], Origin::from_stdout);
  EXPECT_EQ(announcement.origins[2], Origin::from_stderr);
  // Where the library's own segments begin.
  EXPECT_LT(offset_of_ref(slot.announcement) + sizeof(Announcement), segment_offset(2));
}

TEST(ArenaFile, a_long_command_is_cut_off) {
  ArenaFile arena = created();
  arena.announce({std::string(5000, 'x')}, NotInstrumented::unknown);
  const Announcement& announcement =
      *at<Announcement>(arena.base(), slots_of(arena.base())->announcement);
  EXPECT_EQ(announcement.command_length, sizeof(announcement.command));
  EXPECT_EQ(announcement.command_truncated, 1U);
}

class ArenaEnvironment : public testing::Test {
 protected:
  void TearDown() override {
    for (const char* name : {"LD_PRELOAD", "IOTRACE_ARENA", "IOTRACE_SLOT", "ARENA_TEST"})
      unsetenv(name);
  }
  std::string preload(const std::string& before, bool wanted = true) {
    setenv("LD_PRELOAD", before.c_str(), 1);
    return value_in(arena_, "LD_PRELOAD", wanted);
  }
  ArenaFile arena_ = created();
  std::string library_ = file_of(arena_).parent_path() / "libiotrace.so";
};

TEST_F(ArenaEnvironment, keeps_what_is_not_ours) {
  setenv("ARENA_TEST", "a=b", 1);
  EXPECT_EQ(value_in(arena_, "ARENA_TEST"), "a=b");
  unsetenv("LD_PRELOAD");
  EXPECT_EQ(value_in(arena_, "LD_PRELOAD"), library_);
}

TEST_F(ArenaEnvironment, the_library_comes_last) {
  EXPECT_EQ(preload("/x.so"), "/x.so:" + library_);
  EXPECT_EQ(preload("/x.so:/y.so"), "/x.so:/y.so:" + library_);
  EXPECT_EQ(preload("/x.so /y.so  :"), "/x.so:/y.so:" + library_);
  EXPECT_EQ(preload(""), library_);
}

TEST_F(ArenaEnvironment, that_of_a_run_around_this_one_is_replaced) {
  EXPECT_EQ(preload("/dev/shm/iotrace.Abc123/libiotrace.so"), library_);
  EXPECT_EQ(preload("/x.so:/tmp/iotrace.Abc123/libiotrace.so:/y.so"), "/x.so:/y.so:" + library_);
  setenv("IOTRACE_ARENA", "/dev/shm/iotrace.Abc123/f:0", 1);
  setenv("IOTRACE_SLOT", "17", 1);
  EXPECT_EQ(fs::path(value_in(arena_, "IOTRACE_ARENA")).parent_path(),
            fs::path(library_).parent_path());
  EXPECT_EQ(value_in(arena_, "IOTRACE_SLOT"), "0");
}

TEST_F(ArenaEnvironment, libraries_that_are_only_named_alike_stay) {
  for (const std::string other :
       {"libiotrace.so", "/lib/libiotrace.so", "/dev/shm/iotrace.Abc123/other.so"}) {
    EXPECT_EQ(preload(other), other + ":" + library_);
  }
}

TEST_F(ArenaEnvironment, without_preload_only_the_others_are_named) {
  EXPECT_EQ(preload("/x.so", false), "/x.so");
  EXPECT_EQ(preload("/dev/shm/iotrace.Abc123/libiotrace.so", false), "none");
  EXPECT_EQ(value_in(arena_, "IOTRACE_SLOT", false), "0");
}

}  // namespace
}  // namespace iotrace
