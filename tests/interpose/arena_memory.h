// An arena in a memory file, as the launcher makes it: for the tests of the library, which fill it,
// and for those of the launcher, which read what a program may have left there.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "interpose/shared/arena.h"

namespace iotrace {

class ArenaMemory {
 public:
  static constexpr uint64_t kNonce = 0x0123456789abcdef;

  explicit ArenaMemory(uint64_t size = kArenaSize)
      : fd_(memfd_create("arena", MFD_CLOEXEC)), size_(size) {
    // Behind the arena lies a page that nobody may touch.
    void* room = mmap(nullptr, size_ + kGuardSize, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void* start = MAP_FAILED;
    if (room != MAP_FAILED && ftruncate(fd_, static_cast<off_t>(size_)) == 0) {
      start =
          mmap(room, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd_, 0);
    }
    if (start == MAP_FAILED) throw std::runtime_error("no memory for an arena");
    base_ = static_cast<char*>(start);
    header().magic = kArenaMagic;
    header().version = kArenaVersion;
    header().header_size = sizeof(ArenaHeader);
    header().arena_size = size_;
    header().nonce = kNonce;
    header().follow = 1;
  }
  ~ArenaMemory() {
    munmap(base_, size_ + kGuardSize);
    close(fd_);
  }
  ArenaMemory(const ArenaMemory&) = delete;
  ArenaMemory& operator=(const ArenaMemory&) = delete;

  char* base() const { return base_; }
  int fd() const { return fd_; }
  ArenaHeader& header() const { return *reinterpret_cast<ArenaHeader*>(base_); }
  Slot& slot(uint32_t number) const { return slots_of(base_)[number]; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

  // A zeroed T behind all that were made before it; `ref`, unless null, is set to where it is.
  template <typename T>
  T& make(Ref* ref, size_t size = sizeof(T)) {
    uint64_t offset = segment_offset(1) + used_;
    used_ += align_up(size, kRefUnit);
    if (ref != nullptr) *ref = ref_of_offset(offset);
    return *at<T>(base_, ref_of_offset(offset));
  }

 private:
  static constexpr uint64_t kGuardSize = 4096;

  int fd_;
  uint64_t size_;
  char* base_ = nullptr;
  uint64_t used_ = 0;
};

}  // namespace iotrace
