#include "interpose/records.h"

#include "interpose/image.h"
#include "interpose/memory.h"
#include "interpose/targets.h"

namespace iotrace {
namespace {

// Open addressing by what a record describes, private to the process: a program that opens the same
// files again and again must not search a thousand records each time. At most a quarter full, so
// that probes stay short.
constexpr unsigned kHashSize = 4096;
uint16_t record_hash[kHashSize];  // index plus one

struct Identity {
  int fd;
  Stream stream;
  uint64_t dev, ino, rdev;

  bool describes(const DescriptorRecord& record) const {
    return record.fd == fd && record.stream == stream && record.ino == ino && record.dev == dev &&
           record.rdev == rdev;
  }
  unsigned first_probe() const {
    uint64_t mixed =
        (ino * 31 + dev) * 31 + static_cast<uint64_t>(fd) * 4 + static_cast<uint64_t>(stream);
    return static_cast<unsigned>((mixed * 0x9e3779b97f4a7c15u) >> 52);
  }
};
static_assert(1u << (64 - 52) == kHashSize);

unsigned catch_all(Stream stream) {
  unsigned index = kFirstCatchAll + static_cast<unsigned>(stream);
  DescriptorRecord* record = record_at(index);
  if (record != nullptr && !__atomic_load_n(&record->ready, __ATOMIC_ACQUIRE)) {
    record->fd = -1;
    record->stream = stream;
    record->kind = TargetKind::other;
    __atomic_store_n(&record->ready, 1u, __ATOMIC_RELEASE);
  }
  return index;
}

unsigned overflow_to_catch_all(Stream stream) {
  unsigned index = catch_all(stream);
  if (DescriptorRecord* record = record_at(index)) add_atomically(record->merged_descriptors, 1);
  return index;
}

// Returns the index, or kMaxRecords when no record is free.
unsigned make_record(const Identity& identity, TargetKind kind, Origin origin, bool with_path) {
  uint32_t index = __atomic_load_n(&process.image->record_count, __ATOMIC_RELAXED);
  do {
    if (index >= kFirstCatchAll) return kMaxRecords;
  } while (!__atomic_compare_exchange_n(&process.image->record_count, &index, index + 1, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  DescriptorRecord* record = record_at(index);
  if (record == nullptr) return kMaxRecords;
  record->fd = identity.fd;
  record->dev = identity.dev;
  record->ino = identity.ino;
  record->rdev = identity.rdev;
  record->stream = identity.stream;
  record->kind = kind;
  record->origin = origin;
  record->generation = index + 1;
  if (with_path) record->path = read_path(identity.fd);
  __atomic_store_n(&record->ready, 1u, __ATOMIC_RELEASE);
  return index;
}

// `make` is called when no record describes the identity, and returns the new record's index or
// kMaxRecords.
template <typename Make>
unsigned find_or_make(const Identity& identity, Make make) {
  unsigned probe = identity.first_probe();
  for (;; probe = (probe + 1) % kHashSize) {
    uint16_t entry = __atomic_load_n(&record_hash[probe], __ATOMIC_ACQUIRE);
    if (entry == 0) break;
    const DescriptorRecord* record = record_at(entry - 1u);
    if (record != nullptr && identity.describes(*record)) return entry - 1u;
  }
  unsigned index = make();
  if (index == kMaxRecords) return overflow_to_catch_all(identity.stream);
  // Another thread may have taken the entry meanwhile; one that made the same record makes a second
  // one, which is only untidy: sums are over all of them.
  for (;; probe = (probe + 1) % kHashSize) {
    uint16_t expected = 0;
    if (__atomic_compare_exchange_n(&record_hash[probe], &expected,
                                    static_cast<uint16_t>(index + 1), false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED)) {
      return index;
    }
  }
}

}  // namespace

DescriptorRecord* record_at(unsigned index) {
  RecordPage* page =
      get_or_allocate<RecordPage>(&process.image->record_pages[index / kRecordsPerPage]);
  return page == nullptr ? nullptr : &page->records[index % kRecordsPerPage];
}

unsigned find_or_make_record(int fd, Origin origin, const struct stat& status) {
  Identity identity{fd, stream_of(origin, status), status.st_dev, status.st_ino, status.st_rdev};
  return find_or_make(identity, [&] {
    // The launcher knows the paths of the streams.
    bool with_path = identity.stream == Stream::other;
    return make_record(identity, kind_of(fd, status), origin, with_path);
  });
}

unsigned record_without_target(int fd, Origin origin) {
  // A stream is a target: what reached none belongs to neither, unless the number is all that is
  // left to go by.
  bool can_ask = !image_has(kImageFrozen);
  Identity identity{fd, can_ask ? Stream::other : stream_by_origin(origin), 0, 0, 0};
  return find_or_make(identity,
                      [&] { return make_record(identity, TargetKind::other, origin, false); });
}

void start_without_records() { __builtin_memset(record_hash, 0, sizeof(record_hash)); }

}  // namespace iotrace
