#include "interpose/arena_map.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "interpose/image.h"
#include "interpose/memory.h"
#include "interpose/process.h"
#include "interpose/raw.h"

namespace iotrace {
namespace {

bool narrow = false;
uint64_t mapped_size = 0;
uint32_t own_segments[kSegmentCount / 32];  // a bit each
char arena_path[kPathCapacity];

void* map_shared(int fd, uint64_t size, uint64_t offset) {
  void* start = raw::map(size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, offset);
  // Counters are no part of a core dump.
  if (start != nullptr) raw::advise(start, size, MADV_DONTDUMP);
  return start;
}

bool address_space_is_limited() {
  rlimit limit = {};
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
    narrow = address_space_is_limited();
    uint64_t size = narrow ? kSegmentsOffset : file_size;
    void* start = map_shared(fd, size, 0);
    header = static_cast<ArenaHeader*>(start);
    if (header != nullptr && !understood(*header, file_size, nonce)) {
      raw::unmap(start, size);
      header = nullptr;
    }
    if (!narrow) process.base = static_cast<char*>(start);
    mapped_size = size;
  }
  raw::close(fd);
  return header;
}

bool map_segment(uint32_t segment_plus_one) {
  if (!narrow) return true;
  int fd = raw::open(arena_path, O_RDWR);
  if (fd < 0) return false;
  uint64_t offset = segment_offset(segment_plus_one);
  void* start = map_shared(fd, kSegmentSize, offset);
  raw::close(fd);
  if (start == nullptr) return false;
  process.base = static_cast<char*>(start) - offset;
  return true;
}

bool is_narrow_window() { return narrow; }

void note_own_segment(uint32_t segment_plus_one) {
  uint32_t index = segment_plus_one - 1;
  __atomic_fetch_or(&own_segments[index / 32], 1u << index % 32, __ATOMIC_RELAXED);
}

void narrow_window() {
  if (narrow || process.image == nullptr) return;
  narrow = true;
  add_image_flags(kImageNarrowWindow);
  // Unmaps the gaps between what is in use.
  uint64_t gap = kSegmentsOffset;
  for (uint32_t i = 0; i < segments_in(mapped_size); ++i) {
    if (!(__atomic_load_n(&own_segments[i / 32], __ATOMIC_RELAXED) & 1u << i % 32)) continue;
    uint64_t start = segment_offset(i + 1);
    if (start > gap) raw::unmap(process.base + gap, start - gap);
    gap = start + kSegmentSize;
  }
  if (mapped_size > gap) raw::unmap(process.base + gap, mapped_size - gap);
}

}  // namespace iotrace
