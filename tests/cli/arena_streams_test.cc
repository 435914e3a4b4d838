// Tests of cli/arena_file: what the arena says of the streams with which iotrace was started.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <string>

#include "cli/arena_file.h"
#include "tests/cli/redirected.h"

namespace iotrace {
namespace {

// The streams of an arena that was created with these descriptors as 1 and 2.
struct Streams {
  Streams(int out, int err) {
    Redirected redirected_out(1, out);
    Redirected redirected_err(2, err);
    auto arena = ArenaFile::create({.library = "/lib/libiotrace.so"});
    if (auto* made = std::get_if<ArenaFile>(&arena)) {
      const ArenaHeader& header = *made->header();
      std::copy(std::begin(header.streams), std::end(header.streams), streams);
    }
  }
  const StreamTarget& out() const { return streams[0]; }
  const StreamTarget& err() const { return streams[1]; }

  StreamTarget streams[2] = {};
};

std::string path_of(const StreamTarget& stream) {
  return std::string(stream.path, stream.path_length);
}

class ArenaStreams : public testing::Test {
 protected:
  ~ArenaStreams() override {
    for (int fd : {file_, null_, memory_}) close(fd);
    unlink(name_);
  }
  char name_[30] = "/tmp/arena_streams.XXXXXX";
  int file_ = mkostemp(name_, O_CLOEXEC);
  int null_ = open("/dev/null", O_WRONLY | O_CLOEXEC);
  int memory_ = memfd_create("arena_streams", MFD_CLOEXEC);
};

TEST_F(ArenaStreams, are_what_the_descriptors_refer_to) {
  Streams streams(file_, null_);
  struct stat status = {};
  ASSERT_EQ(fstat(file_, &status), 0);
  EXPECT_EQ(streams.out().open, 1U);
  EXPECT_EQ(streams.out().kind, TargetKind::file);
  EXPECT_EQ(streams.out().dev, status.st_dev);
  EXPECT_EQ(streams.out().ino, status.st_ino);
  EXPECT_EQ(streams.out().rdev, status.st_rdev);
  EXPECT_EQ(path_of(streams.out()), name_);
  EXPECT_EQ(streams.err().kind, TargetKind::null);
  EXPECT_EQ(path_of(streams.err()), "/dev/null");
}

TEST_F(ArenaStreams, have_every_kind_that_the_library_knows) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  EXPECT_EQ(Streams(ends[1], file_).out().kind, TargetKind::pipe);
  EXPECT_EQ(Streams(memory_, file_).out().kind, TargetKind::memfd);
  int zero = open("/dev/zero", O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(Streams(file_, zero).err().kind, TargetKind::device);
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ASSERT_EQ(unlockpt(master), 0);
  int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  EXPECT_EQ(Streams(file_, terminal).err().kind, TargetKind::tty);
  for (int fd : {ends[0], ends[1], zero, master, terminal}) close(fd);
}

TEST_F(ArenaStreams, of_the_null_device_the_origin_decides) {
  Streams streams(null_, file_);
  EXPECT_EQ(streams.out().by_origin, 1U);
  EXPECT_EQ(streams.err().by_origin, 0U);
}

TEST_F(ArenaStreams, of_a_target_that_both_have_the_origin_decides) {
  Streams shared(file_, file_);
  EXPECT_EQ(shared.out().by_origin, 1U);
  EXPECT_EQ(shared.err().by_origin, 1U);
  Streams apart(file_, memory_);
  EXPECT_EQ(apart.out().by_origin, 0U);
  EXPECT_EQ(apart.err().by_origin, 0U);
}

TEST_F(ArenaStreams, may_be_closed) {
  Streams streams(-1, file_);
  EXPECT_EQ(streams.out().open, 0U);
  EXPECT_EQ(streams.err().open, 1U);
  EXPECT_EQ(streams.err().by_origin, 0U);
  EXPECT_EQ(Streams(file_, -1).err().open, 0U);
}

}  // namespace
}  // namespace iotrace
