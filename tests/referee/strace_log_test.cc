// The reader of strace's log on lines that strace 6.1 wrote: the comparisons are worth what the
// reader is worth.
#include "tests/referee/strace_log.h"

#include <gtest/gtest.h>

namespace iotrace::referee {
namespace {

TEST(StraceLog, a_plain_call_has_name_descriptor_path_and_bytes) {
  const auto calls = parse_strace_log("17  write(1</tmp/a, b>, \"x) = 5, \\\"\\n\", 10) = 10\n");
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].tid, 17);
  EXPECT_EQ(calls[0].name, "write");
  EXPECT_EQ(calls[0].fd, 1);
  EXPECT_EQ(calls[0].path, "/tmp/a, b");
  EXPECT_EQ(calls[0].bytes, 10u);
  EXPECT_TRUE(calls[0].returned);
}

TEST(StraceLog, a_failed_call_has_its_error_and_no_bytes) {
  const auto calls = parse_strace_log("17  write(-1, \"x\", 1) = -1 EBADF (Bad file descriptor)\n");
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].fd, -1);
  EXPECT_EQ(calls[0].error, "EBADF");
  EXPECT_EQ(calls[0].bytes, 0u);
}

TEST(StraceLog, the_two_lines_of_an_interleaved_call_are_one_call) {
  const auto calls = parse_strace_log(
      "17  write(1<pipe:[5]>, \"a\", 1 <unfinished ...>\n"
      "18  write(2<pipe:[6]>, \"bc\", 2) = 2\n"
      "17  <... write resumed>)              = 1\n");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].path, "pipe:[5]");
  EXPECT_EQ(calls[0].bytes, 1u);
  EXPECT_EQ(calls[1].bytes, 2u);
}

TEST(StraceLog, a_call_in_which_the_thread_died_never_returned) {
  const auto calls = parse_strace_log(
      "17  write(1<pipe:[5]>, \"a\", 1 <unfinished ...>\n"
      "18  write(1<pipe:[5]>, \"a\", 1) = ?\n"
      "18  +++ killed by SIGKILL +++\n"
      "17  <... write resumed>)              = ?\n"
      "17  +++ killed by SIGKILL +++\n");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_FALSE(calls[0].returned);
  EXPECT_FALSE(calls[1].returned);
}

TEST(StraceLog, a_restarted_call_is_one_and_the_handlers_own_call_another) {
  const auto calls = parse_strace_log(
      "17  write(4<pipe:[5]>, \"blocked\", 7) = ? ERESTARTSYS (To be restarted if SA_RESTART is "
      "set)\n"
      "17  --- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_TKILL, si_pid=17, si_uid=0} ---\n"
      "17  write(2</tmp/e>, \"h\\n\", 2) = 2\n"
      "17  rt_sigreturn({mask=[]})           = 1\n"
      "17  write(4<pipe:[5]>, \"blocked\", 7 <unfinished ...>\n"
      "18  write(2</tmp/e>, \"other\", 5) = 5\n"
      "17  <... write resumed>)              = 7\n");
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].fd, 4);
  EXPECT_EQ(calls[0].bytes, 7u);
  EXPECT_EQ(calls[1].path, "/tmp/e");
  EXPECT_EQ(kernel_range(calls).at_least, 3u);
  EXPECT_EQ(kernel_range(calls).at_most, 4u);
}

TEST(StraceLog, calling_again_after_eintr_is_a_second_call) {
  const auto calls = parse_strace_log(
      "17  write(4<pipe:[5]>, \"blocked\", 7) = ? ERESTARTSYS (To be restarted if SA_RESTART is "
      "set)\n"
      "17  --- SIGUSR2 {si_signo=SIGUSR2, si_code=SI_TKILL, si_pid=17, si_uid=0} ---\n"
      "17  rt_sigreturn({mask=[]})           = -1 EINTR (Interrupted system call)\n"
      "17  write(4<pipe:[5]>, \"blocked\", 7) = 7\n");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_FALSE(calls[0].returned);
  EXPECT_EQ(calls[1].bytes, 7u);
}

TEST(StraceLog, a_longer_call_with_the_same_beginning_is_no_restart) {
  const auto calls = parse_strace_log(
      "17  write(4<pipe:[5]>, \"blocked\"..., 70) = ? ERESTARTSYS (To be restarted if SA_RESTART "
      "is set)\n"
      "17  write(4<pipe:[5]>, \"blocked\"..., 700) = 700\n");
  EXPECT_EQ(calls.size(), 2u);
}

TEST(StraceLog, the_descriptor_is_where_the_bytes_go) {
  const auto calls = parse_strace_log(
      "17  copy_file_range(3</a>, [0] => [10], 4</b>, NULL, 10, 0) = 10\n"
      "17  splice(5<pipe:[1]>, NULL, 1</out>, NULL, 16, 0) = 16\n"
      "17  tee(5<pipe:[1]>, 8<pipe:[2]>, 12, 0) = 12\n"
      "17  sendfile(4</b>, 3</a>, [0] => [7], 7) = 7\n");
  ASSERT_EQ(calls.size(), 4u);
  EXPECT_EQ(calls[0].path, "/b");
  EXPECT_EQ(calls[1].path, "/out");
  EXPECT_EQ(calls[2].fd, 8);
  EXPECT_EQ(calls[3].fd, 4);
}

TEST(StraceLog, a_descriptor_that_only_the_second_line_names_is_found) {
  const auto calls = parse_strace_log(
      "17  splice(5<pipe:[1]>, NULL <unfinished ...>\n"
      "17  <... splice resumed>, 1</out>, NULL, 16, 0) = 16\n");
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].path, "/out");
}

TEST(StraceLog, the_bytes_of_sendmmsg_are_those_of_its_messages) {
  const auto calls = parse_strace_log(
      "17  sendmmsg(3<socket:[5]>, [{msg_hdr={msg_iovlen=1, msg_flags=0}, msg_len=4}, "
      "{msg_hdr={msg_iovlen=2, msg_flags=0}, msg_len=12}, {msg_hdr={msg_iovlen=1}}], 3, 0) = 2\n");
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].bytes, 16u);
}

TEST(StraceLog, sums_go_by_name_descriptor_and_path) {
  const auto calls = parse_strace_log(
      "17  write(1</out>, \"a\", 1) = 1\n"
      "18  write(1</other>, \"ab\", 2) = 2\n"
      "18  writev(2</out>, [{iov_base=\"abc\", iov_len=3}], 1) = 3\n"
      "18  --- SIGCHLD {si_signo=SIGCHLD} ---\n");
  EXPECT_EQ(calls_by_name(calls), (CallsByName{{"write", 2}, {"writev", 1}}));
  EXPECT_EQ(calls_by_name_to_path(calls, "/out"), (CallsByName{{"write", 1}, {"writev", 1}}));
  EXPECT_EQ(sums_by_descriptor(calls), (std::map<int, CallSum>{{1, {2, 3}}, {2, {1, 3}}}));
}

}  // namespace
}  // namespace iotrace::referee
