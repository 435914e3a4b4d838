// LineWriter behaves as the line buffer of Rust's standard output. Each of its calls arrives as one
// message of a socket, so that what is compared is how the bytes are cut, and not the bytes alone.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include "demos/hello/line_writer.h"

namespace iotrace {
namespace {

using Messages = std::vector<std::string>;

struct MessagePipe {
  MessagePipe() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0); }
  ~MessagePipe() {
    close(ends[0]);
    drop_reader();
  }
  void drop_reader() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }

  int ends[2] = {-1, -1};
};

class LineWriterTest : public testing::Test {
 protected:
  // What has been written since the last time.
  Messages written() {
    Messages messages;
    char bytes[8192];
    ssize_t size;
    while ((size = recv(pipe_.ends[1], bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
      messages.emplace_back(bytes, static_cast<size_t>(size));
    }
    return messages;
  }

  MessagePipe pipe_;
  LineWriter writer_{pipe_.ends[0]};
};

TEST_F(LineWriterTest, without_a_newline_nothing_leaves) {
  EXPECT_TRUE(writer_.write("Hello, "));
  EXPECT_TRUE(writer_.write("1"));
  EXPECT_EQ(written(), Messages());
  EXPECT_TRUE(writer_.flush());
  EXPECT_EQ(written(), Messages({"Hello, 1"}));
}

TEST_F(LineWriterTest, all_up_to_the_last_newline_leaves_and_the_rest_stays) {
  EXPECT_TRUE(writer_.write("one\ntwo\nthr"));
  EXPECT_EQ(written(), Messages({"one\ntwo\n"}));
  EXPECT_TRUE(writer_.write("ee\nfour"));
  EXPECT_EQ(written(), Messages({"three\n"}));
  EXPECT_TRUE(writer_.flush());
  EXPECT_EQ(written(), Messages({"four"}));
}

TEST_F(LineWriterTest, the_buffer_holds_1024_bytes) {
  EXPECT_TRUE(writer_.write(std::string(1000, 'a')));
  EXPECT_TRUE(writer_.write(std::string(24, 'b')));
  EXPECT_EQ(written(), Messages());
  EXPECT_TRUE(writer_.write("c"));
  EXPECT_EQ(written(), Messages({std::string(1000, 'a') + std::string(24, 'b')}));
}

TEST_F(LineWriterTest, a_piece_as_large_as_the_buffer_goes_past_it) {
  EXPECT_TRUE(writer_.write("a"));
  EXPECT_TRUE(writer_.write(std::string(1024, 'b')));
  EXPECT_EQ(written(), Messages({"a", std::string(1024, 'b')}));
  EXPECT_TRUE(writer_.write(std::string(3000, 'c') + "\nd"));
  EXPECT_EQ(written(), Messages({std::string(3000, 'c') + "\n"}));
}

TEST_F(LineWriterTest, an_empty_piece_and_an_empty_flush_make_no_call) {
  EXPECT_TRUE(writer_.write(""));
  EXPECT_TRUE(writer_.flush());
  EXPECT_EQ(written(), Messages());
}

TEST_F(LineWriterTest, a_failed_call_is_reported_with_its_errno) {
  signal(SIGPIPE, SIG_IGN);
  pipe_.drop_reader();
  EXPECT_TRUE(writer_.write("kept"));
  errno = 0;
  EXPECT_FALSE(writer_.flush());
  EXPECT_EQ(errno, EPIPE);
  EXPECT_FALSE(writer_.write("line\n"));
  signal(SIGPIPE, SIG_DFL);
}

}  // namespace
}  // namespace iotrace
