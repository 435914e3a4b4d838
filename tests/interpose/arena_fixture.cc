#include "tests/interpose/arena_fixture.h"

#include <fcntl.h>
#include <stdlib.h>

#include <algorithm>

#include "interpose/attach.h"
#include "interpose/memory.h"
#include "interpose/raw.h"
#include "interpose/records.h"

namespace iotrace {

void ArenaTest::SetUp() {
  static uint32_t last_generation = 0;
  generation_ = ++last_generation;
  arena_ = std::make_unique<ArenaMemory>();
  header().next_slot = 1;
  records_.assign(kDescriptorTableSize, 0);
  process = Process();
  process.header = &header();
  process.base = arena_->base();
  process.pid = raw::getpid();
  process.generation = &generation_;
  process.records = records_.data();
  uint32_t segment = take_segment(&header());
  ImageRecord* image = reinterpret_cast<ImageRecord*>(arena_->base() + segment_offset(segment));
  image->allocation = uint64_t{segment} << 32 | align_up(sizeof(ImageRecord), kRefUnit);
  image->pid = process.pid;
  process.image = image;
  arena_->slot(0).image = ref_of_offset(segment_offset(segment));
  set_state(arena_->slot(0), SlotState::attached);
  iotrace_thread = ThreadState();
  start_without_records();
}

void ArenaTest::TearDown() {
  process = Process();
  iotrace_thread = ThreadState();
  std::fill_n(descriptor_origins, kDescriptorTableSize, Origin::unknown);
  arena_names = {};
}

void ArenaTest::leave_room(uint32_t segments) { header().next_segment = kSegmentCount - segments; }

std::vector<Lane*> ArenaTest::lanes() {
  std::vector<Lane*> result;
  for (Ref ref = image().lanes; ref != 0; ref = result.back()->next)
    result.push_back(in_image<Lane>(ref));
  return result;
}

std::vector<Tally> ArenaTest::tallies(int fd) {
  std::vector<Tally> result;
  const Snapshot snapshot = take_snapshot(arena_->base());
  for (const RecordSnapshot& record : snapshot.images.at(0).records) {
    if (record.fd == fd) result.push_back(record.tally);
  }
  return result;
}

Tally ArenaTest::tally(int fd) {
  Tally sum;
  for (const Tally& one : tallies(fd)) sum.add(one);
  return sum;
}

int open_temporary_file() {
  char name[] = "/tmp/arena_test.XXXXXX";
  int fd = mkostemp(name, O_CLOEXEC);
  unlink(name);
  return fd;
}

int open_null_device() { return open("/dev/null", O_WRONLY | O_CLOEXEC); }

struct stat status_of(int fd) {
  struct stat status = {};
  EXPECT_EQ(fstat(fd, &status), 0);
  return status;
}

void set_stream(ArenaHeader& header, int stream, int fd, bool by_origin) {
  struct stat status = status_of(fd);
  StreamTarget& target = header.streams[stream];
  target.open = 1;
  target.by_origin = by_origin;
  target.dev = status.st_dev;
  target.ino = status.st_ino;
  target.rdev = status.st_rdev;
}

}  // namespace iotrace
