// Tests of interpose/targets: every kind of target, and the stream that a call belongs to.
#include "interpose/targets.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

#include <string>

#include "interpose/memory.h"
#include "tests/interpose/arena_fixture.h"

namespace iotrace {
namespace {

TargetKind kind(int fd) { return kind_of(fd, status_of(fd)); }

TEST(KindOf, null_device_and_other_devices) {
  EXPECT_EQ(kind(OpenDescriptor(open_null_device())), TargetKind::null);
  EXPECT_EQ(kind(OpenDescriptor(open("/dev/zero", O_WRONLY))), TargetKind::device);
  struct stat disk = {};
  disk.st_mode = S_IFBLK;
  EXPECT_EQ(kind_of(-1, disk), TargetKind::device);
}

TEST(KindOf, a_file_is_one_whether_it_has_a_name_or_not) {
  OpenDescriptor named(open("/proc/self/exe", O_RDONLY));
  EXPECT_EQ(kind(named), TargetKind::file);
  OpenDescriptor unnamed(open_temporary_file());
  ASSERT_EQ(status_of(unnamed).st_nlink, 0U);
  EXPECT_EQ(kind(unnamed), TargetKind::file);
}

TEST(KindOf, memory_file) {
  EXPECT_EQ(kind(OpenDescriptor(memfd_create("some", MFD_CLOEXEC))), TargetKind::memfd);
  EXPECT_EQ(kind(OpenDescriptor(memfd_create("", MFD_CLOEXEC))), TargetKind::memfd);
}

TEST(KindOf, pipe_and_socket) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  OpenDescriptor reader(ends[0]), writer(ends[1]);
  EXPECT_EQ(kind(writer), TargetKind::pipe);
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
  OpenDescriptor one(sockets[0]), other(sockets[1]);
  EXPECT_EQ(kind(one), TargetKind::socket);
}

TEST(KindOf, terminal) {
  OpenDescriptor master(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_EQ(grantpt(master), 0);
  ASSERT_EQ(unlockpt(master), 0);
  OpenDescriptor terminal(open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC));
  EXPECT_EQ(kind(terminal), TargetKind::tty);
}

TEST(KindOf, everything_else_is_other) {
  EXPECT_EQ(kind(OpenDescriptor(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC))), TargetKind::other);
  EXPECT_EQ(kind(OpenDescriptor(epoll_create1(EPOLL_CLOEXEC))), TargetKind::other);
}

TEST(StreamByOrigin, only_the_streams_have_one) {
  EXPECT_EQ(stream_by_origin(Origin::from_stdout), Stream::out);
  EXPECT_EQ(stream_by_origin(Origin::from_stderr), Stream::err);
  EXPECT_EQ(stream_by_origin(Origin::elsewhere), Stream::other);
  EXPECT_EQ(stream_by_origin(Origin::unknown), Stream::other);
}

class StreamOf : public ArenaTest {
 protected:
  OpenDescriptor file_{open_temporary_file()}, other_file_{open_temporary_file()};
  OpenDescriptor null_{open_null_device()};
};

TEST_F(StreamOf, a_target_decides_whatever_the_origin) {
  set_stream(header(), 0, file_, false);
  set_stream(header(), 1, other_file_, false);
  for (Origin origin :
       {Origin::unknown, Origin::from_stdout, Origin::from_stderr, Origin::elsewhere}) {
    EXPECT_EQ(stream_of(origin, status_of(file_)), Stream::out);
    EXPECT_EQ(stream_of(origin, status_of(other_file_)), Stream::err);
    EXPECT_EQ(stream_of(origin, status_of(null_)), Stream::other);
  }
}

TEST_F(StreamOf, every_part_of_a_target_counts) {
  set_stream(header(), 0, file_, false);
  for (int part = 0; part < 3; ++part) {
    struct stat status = status_of(file_);
    ++(part == 0 ? status.st_dev : part == 1 ? status.st_ino : status.st_rdev);
    EXPECT_EQ(stream_of(Origin::from_stdout, status), Stream::other) << part;
  }
}

TEST_F(StreamOf, of_a_shared_target_the_origin_decides) {
  set_stream(header(), 0, file_, true);
  set_stream(header(), 1, file_, true);
  EXPECT_EQ(stream_of(Origin::from_stdout, status_of(file_)), Stream::out);
  EXPECT_EQ(stream_of(Origin::from_stderr, status_of(file_)), Stream::err);
  EXPECT_EQ(stream_of(Origin::elsewhere, status_of(file_)), Stream::other);
}

TEST_F(StreamOf, the_null_device_may_be_opened_by_anybody) {
  set_stream(header(), 0, null_, true);
  set_stream(header(), 1, file_, false);
  EXPECT_EQ(stream_of(Origin::from_stdout, status_of(null_)), Stream::out);
  EXPECT_EQ(stream_of(Origin::elsewhere, status_of(null_)), Stream::other);
}

TEST_F(StreamOf, an_origin_whose_target_is_another_says_nothing) {
  set_stream(header(), 0, null_, true);
  set_stream(header(), 1, file_, false);
  EXPECT_EQ(stream_of(Origin::from_stderr, status_of(null_)), Stream::other);
}

TEST_F(StreamOf, a_closed_stream_has_no_target) {
  set_stream(header(), 0, file_, false);
  header().streams[0].open = 0;
  EXPECT_EQ(stream_of(Origin::from_stdout, status_of(file_)), Stream::other);
}

using ReadPath = ArenaTest;

TEST_F(ReadPath, stores_what_the_link_says) {
  const PathText& path = *in_image<PathText>(read_path(OpenDescriptor(open_null_device())));
  EXPECT_EQ(std::string(path.text, path.length), "/dev/null");
}

TEST_F(ReadPath, reads_so_many_and_no_more) {
  OpenDescriptor null(open_null_device());
  int read = 0;
  while (read < 1000 && read_path(null) != 0) ++read;
  EXPECT_EQ(read, 64);
}

TEST_F(ReadPath, of_a_number_that_refers_to_nothing_is_none) { EXPECT_EQ(read_path(-1), 0U); }

}  // namespace
}  // namespace iotrace
