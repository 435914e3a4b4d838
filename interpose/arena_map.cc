#include "interpose/arena_map.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "interpose/memory.h"
#include "interpose/process.h"
#include "interpose/raw.h"

namespace iotrace {
namespace {

bool narrow_window = false;
char arena_path[kPathCapacity];

void* map_shared(int fd, uint64_t size, uint64_t offset) {
  void* start = raw::map(size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, offset);
  // Counters are no part of a core dump.
  if (start != nullptr) raw::advise(start, size, MADV_DONTDUMP);
  return start;
}

bool address_space_is_limited() {
  rlimit limit;
  return raw_syscall(SYS_prlimit64, 0, RLIMIT_AS, 0, raw::address(&limit)) != 0 ||
         limit.rlim_cur != RLIM_INFINITY;
}

bool understood(const ArenaHeader& header, uint64_t file_size, uint64_t nonce) {
  return header.magic == kArenaMagic && header.version == kArenaVersion &&
         header.header_size == sizeof(ArenaHeader) && header.arena_size == file_size &&
         header.nonce == nonce;
}

}  // namespace

ArenaHeader* map_arena(const char* path, uint64_t nonce) {
  size_t length = __builtin_strlen(path);
  if (length >= sizeof(arena_path)) return nullptr;
  __builtin_memcpy(arena_path, path, length + 1);
  int fd = raw::open(path, O_RDWR);
  if (fd < 0) return nullptr;
  struct stat status;
  ArenaHeader* header = nullptr;
  if (raw::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size >= static_cast<off_t>(kSmallestArenaSize) &&
      status.st_size <= static_cast<off_t>(kArenaSize)) {
    uint64_t file_size = static_cast<uint64_t>(status.st_size);
    narrow_window = address_space_is_limited();
    uint64_t size = narrow_window ? kSegmentsOffset : file_size;
    void* start = map_shared(fd, size, 0);
    header = static_cast<ArenaHeader*>(start);
    if (header != nullptr && !understood(*header, file_size, nonce)) {
      raw::unmap(start, size);
      header = nullptr;
    }
    if (!narrow_window) process.base = static_cast<char*>(start);
  }
  raw::close(fd);
  return header;
}

bool map_segment(uint32_t segment_plus_one) {
  if (!narrow_window) return true;
  int fd = raw::open(arena_path, O_RDWR);
  if (fd < 0) return false;
  uint64_t offset = segment_offset(segment_plus_one);
  void* start = map_shared(fd, kSegmentSize, offset);
  raw::close(fd);
  if (start == nullptr) return false;
  process.base = static_cast<char*>(start) - offset;
  return true;
}

bool is_narrow_window() { return narrow_window; }

}  // namespace iotrace
