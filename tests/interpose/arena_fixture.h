// The state in which a process is once the library has attached to an arena, without the
// environment and the constructor: for every test that counts something.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <memory>
#include <vector>

#include "cli/snapshot.h"
#include "interpose/process.h"
#include "tests/interpose/arena_memory.h"

namespace iotrace {

class ArenaTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  ArenaMemory& arena() { return *arena_; }
  ArenaHeader& header() { return arena_->header(); }
  ImageRecord& image() { return *process.image; }

  // Makes the arena full but for `segments`.
  void leave_room(uint32_t segments);

  // Every lane of the image.
  std::vector<Lane*> lanes();

  // What the launcher reads of the calls on `fd`: one tally for each target that it had.
  std::vector<Tally> tallies(int fd);
  // The sum of them.
  Tally tally(int fd);

 private:
  std::unique_ptr<ArenaMemory> arena_;
  std::vector<uint16_t> records_;
  uint32_t generation_ = 0;
};

// A descriptor that is closed with the test.
class OpenDescriptor {
 public:
  explicit OpenDescriptor(int fd) : fd_(fd) { EXPECT_GE(fd, 0); }
  ~OpenDescriptor() { close(fd_); }
  OpenDescriptor(const OpenDescriptor&) = delete;
  OpenDescriptor& operator=(const OpenDescriptor&) = delete;
  operator int() const { return fd_; }

 private:
  int fd_;
};

// An unnamed file of the file system, of no stream.
int open_temporary_file();
int open_null_device();

struct stat status_of(int fd);

// Makes stream 0 or 1 of the run the target of `fd`.
void set_stream(ArenaHeader& header, int stream, int fd, bool by_origin);

}  // namespace iotrace
