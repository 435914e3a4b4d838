#include "cli/snapshot.h"

#include <string.h>

#include <algorithm>
#include <map>

namespace iotrace {
namespace {

constexpr unsigned kLongestList = 1u << 20;

class Reader {
 public:
  Reader(const void* arena, uint64_t size) : arena_(arena), size_(size) {}

  // nullptr for a reference that is none or lies outside.
  template <typename T>
  const T* get(Ref ref, size_t size = sizeof(T)) const {
    uint64_t offset = offset_of_ref(ref);
    if (ref == 0 || offset < kSegmentsOffset || offset + size > size_) return nullptr;
    return at<T>(arena_, ref);
  }
  template <typename T>
  const T* follow(const Ref& slot) const {
    return get<T>(__atomic_load_n(&slot, __ATOMIC_ACQUIRE));
  }

 private:
  const void* arena_;
  uint64_t size_;
};

std::vector<std::string> words(const char* text, size_t length) {
  std::vector<std::string> result;
  while (length > 0) {
    size_t size = strnlen(text, length);
    result.emplace_back(text, size);
    size_t used = std::min(size + 1, length);
    text += used;
    length -= used;
  }
  return result;
}

template <size_t n>
void load(uint64_t (&to)[n], const Counter (&from)[n]) {
  for (size_t i = 0; i < n; ++i) to[i] = from[i].load();
}

Tally tally_of(const Reader& reader, const CounterBlock& block) {
  Tally tally;
  load(tally.calls, block.calls);
  int64_t countdown = __atomic_load_n(&block.countdown, __ATOMIC_RELAXED);
  uint64_t calls = block.granted.load() - static_cast<uint64_t>(countdown);
  uint64_t others = tally.all_calls();
  tally.calls[static_cast<unsigned>(Call::write)] = calls > others ? calls - others : 0;
  tally.bytes = block.bytes.load();
  tally.bytes_not_taken = block.bytes_not_taken.load();
  tally.short_writes = block.short_writes.load();
  for (unsigned i = 0; i < kSizeBuckets; ++i) {
    uint64_t with_newline = block.sizes[i][1].load();
    tally.sizes[i] = block.sizes[i][0].load() + with_newline;
    tally.newline_terminated += with_newline;
  }
  tally.min_bytes_plus_one = block.min_bytes_plus_one;
  tally.max_bytes = block.max_bytes;
  load(tally.by_buffering, block.by_buffering);
  load(tally.flush_causes, block.flush_causes);
  tally.stdio_calls = block.stdio_calls.load();
  tally.fflush_calls = block.fflush_calls.load();
  tally.fflush_empty_calls = block.fflush_empty_calls.load();
  unsigned blocks_left = 64;
  for (const ErrorBlock* errors = reader.follow<ErrorBlock>(block.errors);
       errors != nullptr && blocks_left > 0;
       errors = reader.follow<ErrorBlock>(errors->next), --blocks_left) {
    for (const ErrorCount& entry : errors->entries) {
      const uint32_t key = __atomic_load_n(&entry.key, __ATOMIC_RELAXED);
      const uint32_t call = key >> 16;
      if (call == 0 || call > kCallCount) continue;
      tally.errors[{static_cast<Call>(call - 1), static_cast<int>(key & 0xffff)}] +=
          entry.calls.load();
    }
  }
  load(tally.times, block.times);
  for (uint64_t timed : tally.times) tally.timed_calls += timed;
  tally.max_ns = block.max_ns;
  // The calls since the last timed one are taken to have been of the usual kind.
  uint64_t covered = tally.timed_calls + block.covered_besides.load();
  uint64_t rest = calls > covered ? calls - covered : 0;
  tally.time_ns = static_cast<double>(block.estimated_ns.load()) +
                  static_cast<double>(rest) * static_cast<double>(block.usual_ns);
  tally.time_known = tally.timed_calls > 0 || calls == 0;
  return tally;
}

const DescriptorRecord* record_number(const Reader& reader, const ImageRecord& image,
                                      unsigned index) {
  const RecordPage* page = reader.follow<RecordPage>(image.record_pages[index / kRecordsPerPage]);
  return page == nullptr ? nullptr : &page->records[index % kRecordsPerPage];
}

RecordSnapshot describe(const Reader& reader, const DescriptorRecord& record) {
  RecordSnapshot result;
  result.fd = record.fd;
  result.stream =
      static_cast<unsigned>(record.stream) < kStreamCount ? record.stream : Stream::other;
  result.kind = record.kind <= TargetKind::other ? record.kind : TargetKind::other;
  result.has_target = record.dev != 0 || record.ino != 0;
  result.merged_descriptors = record.merged_descriptors;
  result.stdio_mode = record.stdio_mode < kBufferingCount
                          ? static_cast<Buffering>(record.stdio_mode)
                          : Buffering::none;
  result.buffer_bytes = record.buffer_bytes;
  result.unflushed_bytes = __atomic_load_n(&record.unflushed_bytes, __ATOMIC_RELAXED);
  result.stdio_inexact = record.stdio_inexact;
  const PathText* path = reader.get<PathText>(record.path, sizeof(PathText) + kPathCapacity);
  if (path != nullptr && path->length <= kPathCapacity)
    result.path = std::string(path->text, path->length);
  return result;
}

void read_records(const Reader& reader, const ImageRecord& image,
                  std::vector<RecordSnapshot>* records) {
  std::map<unsigned, Tally> tallies;
  unsigned lanes_left = kLongestList;
  for (const Lane* lane = reader.follow<Lane>(image.lanes); lane != nullptr && lanes_left > 0;
       lane = reader.get<Lane>(lane->next), --lanes_left) {
    for (unsigned index = 0; index < kMaxRecords; ++index) {
      const CounterBlock* block = reader.follow<CounterBlock>(lane->blocks[index + 1]);
      if (block != nullptr) tallies[index].add(tally_of(reader, *block));
    }
  }
  for (auto& [index, tally] : tallies) {
    const DescriptorRecord* record = record_number(reader, image, index);
    if (record == nullptr || !__atomic_load_n(&record->ready, __ATOMIC_ACQUIRE)) continue;
    records->push_back(describe(reader, *record));
    records->back().tally = std::move(tally);
  }
}

std::optional<uint32_t> slot_from(uint32_t plus_one) {
  if (plus_one == 0 || plus_one > kSlotCount) return std::nullopt;
  return plus_one - 1;
}

void read_image(const Reader& reader, const ImageRecord& image, ImageSnapshot* result) {
  result->attached = true;
  result->parent = slot_from(image.parent_slot_plus_one);
  result->predecessor = slot_from(image.predecessor_slot_plus_one);
  result->pid = image.pid;
  result->flags = __atomic_load_n(&image.flags, __ATOMIC_RELAXED);
  result->started_ns = image.started_ns;
  result->counting = image.counting <= Counting::musl ? image.counting : Counting::nothing;
  result->threads = __atomic_load_n(&image.threads, __ATOMIC_RELAXED);
  result->overflow_calls = __atomic_load_n(&image.overflow_calls, __ATOMIC_RELAXED);
  result->command =
      words(image.command, std::min<size_t>(image.command_length, sizeof(image.command)));
  result->command_truncated = image.command_truncated;
  size_t length = std::min<size_t>(image.executable_length, sizeof(image.executable));
  if (length > 0) result->executable = std::string(image.executable, length);
  read_records(reader, image, &result->records);
}

void read_announcement(const Announcement& announcement, const Slot& slot, ImageSnapshot* result) {
  std::optional<uint32_t> announcer = slot_from(announcement.announcer_slot_plus_one);
  (announcement.in_place ? result->predecessor : result->parent) = announcer;
  result->pid = slot.pid;
  result->reason = announcement.expected_reason <= NotInstrumented::not_followed
                       ? announcement.expected_reason
                       : NotInstrumented::unknown;
  result->command = words(announcement.command, std::min<size_t>(announcement.command_length,
                                                                 sizeof(announcement.command)));
  result->command_truncated = announcement.command_truncated;
}

uint32_t slots_in_use(const void* arena) {
  const ArenaHeader* header = static_cast<const ArenaHeader*>(arena);
  return std::min(__atomic_load_n(&header->next_slot, __ATOMIC_ACQUIRE), kSlotCount);
}

}  // namespace

Snapshot take_snapshot(const void* arena, uint64_t size) {
  const ArenaHeader* header = static_cast<const ArenaHeader*>(arena);
  Reader reader(arena, size);
  Snapshot snapshot;
  std::copy(std::begin(header->streams), std::end(header->streams), snapshot.streams);
  for (StreamTarget& stream : snapshot.streams)
    stream.kind = std::min(stream.kind, TargetKind::other);
  snapshot.overflow_calls = __atomic_load_n(&header->overflow_calls, __ATOMIC_RELAXED);
  snapshot.failed_attaches = __atomic_load_n(&header->failed_attaches, __ATOMIC_RELAXED);
  uint32_t end = slots_in_use(arena);
  for (uint32_t i = 0; i < end; ++i) {
    const Slot& slot = slots_of(arena)[i];
    SlotState state = state_of(slot);
    ImageSnapshot image;
    image.slot = i;
    if (state == SlotState::attached) {
      if (const ImageRecord* record = reader.get<ImageRecord>(slot.image))
        read_image(reader, *record, &image);
    } else if (state == SlotState::announced || state == SlotState::attaching) {
      if (const Announcement* announcement = reader.get<Announcement>(slot.announcement)) {
        read_announcement(*announcement, slot, &image);
      }
    } else {
      continue;
    }
    snapshot.images.push_back(std::move(image));
  }
  return snapshot;
}

std::vector<uint32_t> slots_of_process(const void* arena, int pid, uint64_t size) {
  Reader reader(arena, size);
  std::vector<uint32_t> result;
  uint32_t end = slots_in_use(arena);
  for (uint32_t i = 0; i < end; ++i) {
    const Slot& slot = slots_of(arena)[i];
    SlotState state = state_of(slot);
    int owner = slot.pid;
    if (state == SlotState::attached) {
      const ImageRecord* image = reader.get<ImageRecord>(slot.image);
      owner = image != nullptr ? image->pid : 0;
    }
    if (state != SlotState::unused && state != SlotState::withdrawn && owner == pid)
      result.push_back(i);
  }
  return result;
}

}  // namespace iotrace
