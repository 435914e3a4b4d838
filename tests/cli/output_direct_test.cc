// Tests of cli/output_file where it writes directly: devices, pipes, and the launcher's own stderr,
// which may be anything.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "cli/output_file.h"
#include "output_file_harness.h"

namespace iotrace {
namespace {

using OutputDirectTest = OutputFileTest;

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

TEST_F(OutputDirectTest, devices_are_written_to_directly) {
  EXPECT_EQ(prepared("/dev/null").commit("x"), std::nullopt);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputDirectTest, a_full_device_is_an_error) {
  EXPECT_EQ(prepared("/dev/full").commit("x"),
            "iotrace: cannot write '/dev/full': No space left on device");
}

TEST_F(OutputDirectTest, a_fifo_gets_everything_although_it_is_small) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  const std::string text(1000000, 'x');
  std::string received;
  std::thread reader([&] { received = content("fifo"); });
  const auto error = prepared(path("fifo")).commit(text);
  reader.join();
  EXPECT_EQ(error, std::nullopt);
  EXPECT_EQ(received, text);
}

TEST_F(OutputDirectTest, the_file_that_is_stderr_is_appended_to_not_replaced) {
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

TEST_F(OutputDirectTest, a_closed_stderr_stays_closed_while_files_are_prepared) {
  bool still_closed = false;
  {
    const StderrReplaced closed(-1);
    const OutputFile regular = prepared(path("new"));
    const OutputFile device = prepared("/dev/null");
    still_closed = fcntl(STDERR_FILENO, F_GETFD) == -1;
  }
  EXPECT_TRUE(still_closed);
}

TEST_F(OutputDirectTest, its_descriptors_are_close_on_exec) {
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
