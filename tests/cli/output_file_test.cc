// Tests of cli/output_file: files are replaced as a whole or not at all, errors come before the run
// where they can, and stderr may be anything.
#include "cli/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace iotrace {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "output_file.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }

  std::string content(const std::string& name) const {
    std::ifstream file(path(name));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  size_t entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

OutputFile prepared(const std::string& path) {
  auto result = OutputFile::prepare(path);
  if (const std::string* error = std::get_if<std::string>(&result))
    throw std::runtime_error(*error);
  return std::move(std::get<OutputFile>(result));
}

std::string prepare_error(const std::string& path) {
  const auto result = OutputFile::prepare(path);
  const std::string* error = std::get_if<std::string>(&result);
  return error == nullptr ? "no error" : *error;
}

mode_t mode_of(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

// Replaces descriptor 2 for the life of the object; -1 closes it.
class StderrReplaced {
 public:
  explicit StderrReplaced(int fd) : saved_(dup(STDERR_FILENO)) {
    if (fd < 0) {
      close(STDERR_FILENO);
    } else {
      dup2(fd, STDERR_FILENO);
    }
  }
  ~StderrReplaced() {
    dup2(saved_, STDERR_FILENO);
    close(saved_);
  }
  StderrReplaced(const StderrReplaced&) = delete;
  StderrReplaced& operator=(const StderrReplaced&) = delete;

 private:
  int saved_;
};

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

TEST_F(OutputFileTest, devices_are_written_to_directly) {
  EXPECT_EQ(prepared("/dev/null").commit("x"), std::nullopt);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, a_full_device_is_an_error) {
  EXPECT_EQ(prepared("/dev/full").commit("x"),
            "iotrace: cannot write '/dev/full': No space left on device");
}

TEST_F(OutputFileTest, a_fifo_gets_everything_although_it_is_small) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  const std::string text(1000000, 'x');
  std::string received;
  std::thread reader([&] { received = content("fifo"); });
  const auto error = prepared(path("fifo")).commit(text);
  reader.join();
  EXPECT_EQ(error, std::nullopt);
  EXPECT_EQ(received, text);
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

TEST_F(OutputFileTest, the_file_that_is_stderr_is_appended_to_not_replaced) {
  const int log = open(path("log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(write(log, "program\n", 8), 8);
  {
    const StderrReplaced replaced(log);
    EXPECT_EQ(prepared("/dev/stderr").commit("report\n"), std::nullopt);
    EXPECT_EQ(prepared(path("log")).commit("again\n"), std::nullopt);
  }
  close(log);
  EXPECT_EQ(content("log"), "program\nreport\nagain\n");
}

TEST_F(OutputFileTest, a_closed_stderr_stays_closed_while_files_are_prepared) {
  bool still_closed = false;
  {
    const StderrReplaced closed(-1);
    const OutputFile regular = prepared(path("new"));
    const OutputFile device = prepared("/dev/null");
    still_closed = fcntl(STDERR_FILENO, F_GETFD) == -1;
  }
  EXPECT_TRUE(still_closed);
}

TEST_F(OutputFileTest, its_descriptors_are_close_on_exec) {
  const int lowest_free = dup(STDERR_FILENO);
  close(lowest_free);
  const OutputFile file = prepared(path("new"));
  EXPECT_EQ(fcntl(lowest_free, F_GETFD), FD_CLOEXEC);
}

TEST(WriteToStderr, writes_everything_to_a_non_blocking_pipe) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const std::string text(300000, 'x');
  std::string received;
  std::thread reader([&] {
    std::string buffer(4096, '\0');
    for (ssize_t n = 0;
         received.size() < text.size() && (n = read(ends[0], buffer.data(), buffer.size())) > 0;) {
      received.append(buffer, 0, static_cast<size_t>(n));
    }
  });
  std::optional<std::string> error;
  {
    const StderrReplaced replaced(ends[1]);
    error = write_to_stderr(text);
  }
  close(ends[1]);
  reader.join();
  close(ends[0]);
  EXPECT_EQ(error, std::nullopt);
  EXPECT_EQ(received, text);
}

TEST(WriteToStderr, survives_a_reader_that_is_gone) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  const auto before = signal(SIGPIPE, SIG_DFL);
  std::optional<std::string> error;
  {
    const StderrReplaced replaced(ends[1]);
    error = write_to_stderr("x");
  }
  EXPECT_EQ(signal(SIGPIPE, before), SIG_DFL);
  close(ends[1]);
  EXPECT_EQ(error, "iotrace: cannot write 'stderr': Broken pipe");
}

TEST(WriteToStderr, survives_a_closed_descriptor) {
  std::optional<std::string> error;
  {
    const StderrReplaced closed(-1);
    error = write_to_stderr("x");
  }
  EXPECT_EQ(error, "iotrace: cannot write 'stderr': Bad file descriptor");
}

}  // namespace
}  // namespace iotrace
