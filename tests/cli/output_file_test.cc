// Tests of cli/output_file: files are replaced as a whole or not at all, and errors come before the
// run where they can.
#include "cli/output_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "output_file_harness.h"

namespace iotrace {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

// Gives up the superuser's right to write everywhere for the life of the object.
class Unprivileged {
 public:
  Unprivileged() { drop(); }
  ~Unprivileged() {
    if (was_root_) {
      EXPECT_EQ(seteuid(0), 0);
    }
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  void drop() {
    if (was_root_) {
      ASSERT_EQ(seteuid(65534), 0);
    }
  }

  bool was_root_ = geteuid() == 0;
};

TEST_F(OutputFileTest, a_new_file_appears_with_its_whole_content) {
  OutputFile file = prepared(path("new"));
  EXPECT_FALSE(fs::exists(path("new")));
  EXPECT_EQ(file.commit("text\n"), std::nullopt);
  EXPECT_EQ(content("new"), "text\n");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(OutputFileTest, a_new_file_gets_the_mode_that_the_umask_leaves) {
  const mode_t before = umask(027);
  EXPECT_EQ(prepared(path("new")).commit("x"), std::nullopt);
  umask(before);
  EXPECT_EQ(mode_of(path("new")), 0640U);
}

TEST_F(OutputFileTest, an_existing_file_stays_until_it_is_replaced_and_keeps_its_mode) {
  put("old", "before");
  ASSERT_EQ(chmod(path("old").c_str(), 0604), 0);
  OutputFile file = prepared(path("old"));
  EXPECT_EQ(content("old"), "before");
  EXPECT_EQ(file.commit("after"), std::nullopt);
  EXPECT_EQ(content("old"), "after");
  EXPECT_EQ(mode_of(path("old")), 0604U);
  EXPECT_EQ(entries(), 1U);
}

TEST_F(OutputFileTest, without_a_commit_nothing_is_left_or_changed) {
  put("old", "before");
  {
    const OutputFile old = prepared(path("old"));
    const OutputFile fresh = prepared(path("new"));
    EXPECT_EQ(entries(), 3U);
  }
  EXPECT_EQ(content("old"), "before");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(OutputFileTest, a_moved_file_is_committed_once) {
  OutputFile first = prepared(path("a"));
  OutputFile second = prepared(path("b"));
  second = std::move(first);
  EXPECT_EQ(entries(), 1U);
  EXPECT_EQ(second.commit("x"), std::nullopt);
  EXPECT_EQ(content("a"), "x");
  EXPECT_FALSE(fs::exists(path("b")));
}

TEST_F(OutputFileTest, a_relative_name_is_taken_in_the_current_folder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const auto error = prepared("here").commit("x");
  fs::current_path(before);
  EXPECT_EQ(error, std::nullopt);
  EXPECT_EQ(content("here"), "x");
}

TEST_F(OutputFileTest, a_link_stays_and_its_end_is_replaced) {
  fs::create_directory(path("sub"));
  put("sub/end", "before");
  fs::create_symlink("sub/middle", path("link"));
  fs::create_symlink("end", path("sub/middle"));
  EXPECT_EQ(prepared(path("link")).commit("after"), std::nullopt);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_TRUE(fs::is_symlink(path("sub/middle")));
  EXPECT_EQ(content("sub/end"), "after");
}

TEST_F(OutputFileTest, a_link_to_nothing_gets_something_to_point_to) {
  fs::create_symlink("end", path("link"));
  EXPECT_EQ(prepared(path("link")).commit("x"), std::nullopt);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content("end"), "x");
}

TEST_F(OutputFileTest, links_in_a_circle_are_an_error) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_NE(prepare_error(path("a")).find("Too many levels of symbolic links"), std::string::npos);
}

TEST_F(OutputFileTest, a_missing_folder_is_an_error_at_once) {
  EXPECT_EQ(prepare_error(path("no/file")),
            "iotrace: cannot write '" + path("no/file") +
                "': No such file or directory (create its folder first)");
}

TEST_F(OutputFileTest, a_folder_is_no_file) {
  EXPECT_NE(prepare_error(folder_).find("Is a directory (name a file in it)"), std::string::npos);
}

TEST_F(OutputFileTest, a_read_only_folder_is_an_error_at_once) {
  ASSERT_EQ(chmod(folder_.c_str(), 0555), 0);
  std::string error;
  {
    const Unprivileged unprivileged;
    error = prepare_error(path("new"));
  }
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  EXPECT_NE(error.find("Permission denied"), std::string::npos) << error;
  EXPECT_EQ(entries(), 0U);
}

TEST_F(OutputFileTest, a_read_only_file_is_not_replaced) {
  put("old", "before");
  ASSERT_EQ(chmod(path("old").c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder_.c_str(), 0777), 0);
  const Unprivileged unprivileged;
  EXPECT_NE(prepare_error(path("old")).find("Permission denied"), std::string::npos);
}

TEST_F(OutputFileTest, a_hostile_name_is_shown_harmless) {
  EXPECT_NE(prepare_error(path("no\x1b/x")).find("no\\x1b/x"), std::string::npos);
}

// A limit on the size of files stands in for a full disk: write fails in the middle, with an errno.
TEST_F(OutputFileTest, when_there_is_no_room_the_old_file_survives) {
  put("old", "before");
  rlimit old_limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  rlimit limit = old_limit;
  limit.rlim_cur = 4096;
  const auto old_action = signal(SIGXFSZ, SIG_IGN);
  OutputFile file = prepared(path("old"));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto error = file.commit(std::string(100000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
  signal(SIGXFSZ, old_action);
  EXPECT_EQ(error, "iotrace: cannot write '" + path("old") + "': File too large");
  EXPECT_EQ(content("old"), "before");
  EXPECT_EQ(entries(), 1U);
}

}  // namespace
}  // namespace iotrace
