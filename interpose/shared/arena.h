// The arena: what the preload library writes and the launcher reads, byte for byte. Header-only,
// freestanding, shared by both sides; a change of anything here needs a new kArenaVersion.
//
// One sparse memory file per run:
//
//   ArenaHeader | slots, one per image or announced exec | segments of 64 KiB
//
// An image takes a segment and lays out its ImageRecord, descriptor records, lanes and counter
// blocks in it with a bump allocator; it takes another segment when that one is full. References
// are offsets in units of 64 bytes, so that every process may map the file where it likes. All
// words start as zero, which always means "nothing yet".
//
// Who writes what: the launcher writes the header before the program starts, and later only frees
// segments; a thread writes its own lane and the counter blocks that hang on it, with plain adds;
// everything that several threads write is atomic. Readers may look at any time and must accept
// sums that are a call behind.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace iotrace {

inline constexpr uint64_t kArenaMagic = 0x31656361'72746f69;  // "iotrace1"
inline constexpr uint32_t kArenaVersion = 1;

// ---- what is counted
// -------------------------------------------------------------------------------------------------

enum class Call : uint8_t {
#define OUTPUT_CALL(name, in_syscw) name,
#include "interpose/shared/calls.def"
#undef OUTPUT_CALL
};

inline constexpr const char* kCallNames[] = {
#define OUTPUT_CALL(name, in_syscw) #name,
#include "interpose/shared/calls.def"
#undef OUTPUT_CALL
};

inline constexpr bool kCallInSyscw[] = {
#define OUTPUT_CALL(name, in_syscw) in_syscw,
#include "interpose/shared/calls.def"
#undef OUTPUT_CALL
};

inline constexpr unsigned kCallCount = sizeof(kCallNames) / sizeof(kCallNames[0]);

enum class FlushCause : uint8_t { full, newline, fflush, close, exit, unbuffered, direct, other };
inline constexpr const char* kFlushCauseNames[] = {"full", "newline",    "fflush", "close",
                                                   "exit", "unbuffered", "direct", "other"};
inline constexpr unsigned kFlushCauseCount = 8;

// How the FILE behind an output call was buffered; `none`: there was no FILE.
enum class Buffering : uint8_t { none, full, line, unbuffered };
inline constexpr const char* kBufferingNames[] = {"none", "full", "line", "unbuffered"};
inline constexpr unsigned kBufferingCount = 4;

enum class TargetKind : uint8_t { null, file, pipe, tty, socket, memfd, device, other };
inline constexpr const char* kTargetKindNames[] = {"null",   "file",  "pipe",   "tty",
                                                   "socket", "memfd", "device", "other"};

enum class Stream : uint8_t { out, err, other };
inline constexpr const char* kStreamNames[] = {"stdout", "stderr", "other"};
inline constexpr unsigned kStreamCount = 3;

// Where a descriptor came from. Decides the stream where the target cannot (DESIGN "Words",
// stream).
enum class Origin : uint8_t {
  unknown,  // inherited through something that we did not see: its number decides
  from_stdout,
  from_stderr,
  elsewhere,  // opened, or made from such a one, in an instrumented image
};

enum class Counting : uint8_t { nothing, symbols, stdio_table, libc_text, musl };
inline constexpr const char* kCountingNames[] = {"", "symbols", "stdio-table", "libc-text", "musl"};

enum class Timing : uint8_t { off, sample, all };

// ---- layout
// ----------------------------------------------------------------------------------------------------------

using Ref = uint32_t;  // offset / kRefUnit; 0: none
inline constexpr uint64_t kRefUnit = 64;

inline constexpr uint32_t kSlotCount = 1u << 18;
inline constexpr uint64_t kSegmentSize = 64 * 1024;
inline constexpr uint32_t kSegmentCount = 1u << 15;

inline constexpr unsigned kSizeBuckets =
    33;  // bucket b: 2^(b-1) < bytes <= 2^b; 0 bytes are in bucket 0
inline constexpr unsigned kTimeBuckets =
    41;  // the same for nanoseconds; the last takes everything longer

// The bucket whose upper end 2^bucket is the first power of two that is not below `value`.
inline constexpr unsigned bucket_of(uint64_t value, unsigned buckets) {
  if (value <= 1) return 0;
  unsigned bucket = 64u - static_cast<unsigned>(__builtin_clzll(value - 1));
  return bucket < buckets ? bucket : buckets - 1;
}

// The same for sizes from 1 to 2^32, on the path of every call: of twice the size less one, the
// highest bit is the bucket.
inline constexpr unsigned size_bucket(uint64_t bytes) {
  return 63u - static_cast<unsigned>(__builtin_clzll(2 * bytes - 1));
}
static_assert(size_bucket(1) == 0 && size_bucket(2) == 1 && size_bucket(37) == 6 &&
              size_bucket(64) == 6 && size_bucket(65) == 7 && size_bucket(0x7ffff000) == 31);

// A counter with one writer (its lane's thread, and the signal handlers that interrupt it) and any
// number of readers. The writer adds with signal_safe_add of interpose/arch.h.
struct Counter {
  uint64_t value;
  uint64_t load() const { return __atomic_load_n(&value, __ATOMIC_RELAXED); }
};

// One (call, errno) pair that occurred on a counter block. `key` is claimed by compare-and-swap.
struct ErrorCount {
  uint32_t key;  // (call + 1) << 16 | errno; 0: free
  uint32_t unused;
  Counter calls;
};

// In place of an errno: a copy_file_range that returned 0, at the end of its source. It succeeded,
// but the kernel does not count it.
inline constexpr int kNothingCopied = 0;

inline constexpr uint32_t error_key(Call call, int error) {
  return (static_cast<uint32_t>(call) + 1) << 16 | (static_cast<uint32_t>(error) & 0xffff);
}

struct ErrorBlock {
  Ref next;
  uint32_t unused;
  ErrorCount entries[7];
};

// How the time in calls is found out. By kind of target: one at which writes do not wait is
// sampled; one at which they may is watched, so that every call that waits is timed, where the
// kernel helps (interpose/schedule_mark.h), and timed at every call where it does not.
enum class TimingMode : uint32_t { sampled, watched, every_call };

// What the success of a call says of the memory that it was given: nothing, since a target such as
// the null device takes bytes without reading them; that it was readable, but a reader may have had
// another thread free it meanwhile; that it still is, because nobody waits for a file's bytes.
enum class BytesRead : uint32_t { unknown, perhaps_gone, still_there };

// What one thread did on one descriptor record. Written by that thread alone.
struct alignas(64) CounterBlock {
  // The first lines are what every call touches.
  int64_t countdown;    // taken down by every call; below 0: this one is timed or checked
  uint64_t usual_from;  // sizes that need no closer look lie between the smallest and the largest
  uint64_t usual_span;  // so far: usual_from <= size <= usual_from + usual_span
  uint32_t owner_slot;  // the image that counts here: a child of fork sees that it is not its own
  BytesRead bytes_read;
  Counter bytes;      // returned by successful calls
  Counter granted;    // what was added to countdown: all calls = granted - countdown
  Ref record;         // the DescriptorRecord
  uint32_t interval;  // what countdown was last raised to: the weight of the next timed call
  // Added at return of a successful call, the second of each pair if its last byte was a newline.
  // Their sum is the succeeded calls.
  Counter sizes[kSizeBuckets][2];
  // Added at entry. That of write, by far the most frequent, is not: it is what the others leave of
  // all calls.
  Counter calls[kCallCount];
  Counter by_buffering[kBufferingCount];  // `none` is not written: it is the rest
  Counter flush_causes[kFlushCauseCount];
  Counter stdio_calls;
  Counter fflush_calls;
  Counter fflush_empty_calls;
  Counter times[kTimeBuckets];  // their sum is the timed calls
  Counter estimated_ns;
  uint64_t max_ns;
  TimingMode timing_mode;
  int32_t until_stamp;  // watched: calls until the next one that is timed
  int32_t stamped_at;   // watched: what until_stamp was when the clock was last looked at
  uint64_t last_stamp;  // watched: ticks at that moment
  uint64_t usual_ns;    // running mean of the timed calls that did not wait
  int32_t until_check;  // calls until fstat confirms the target again
  // From here on: rarely touched.
  uint64_t min_bytes_plus_one;  // 0: no successful call yet
  uint64_t max_bytes;
  Counter short_writes;
  Counter bytes_not_taken;  // requested minus returned, over the calls that returned
  Counter covered_besides;  // calls that estimated_ns stands for beside those that were timed
  uint32_t check_interval;
  uint32_t always_timed_left;  // calls that are still timed one by one
  Ref errors;                  // ErrorBlock
};

inline constexpr unsigned kMaxRecords =
    512;  // per image; the last kStreamCount are catch-alls, one per stream
inline constexpr unsigned kFirstCatchAll = kMaxRecords - kStreamCount;
inline constexpr unsigned kRecordsPerPage = 16;
inline constexpr unsigned kRecordPages = kMaxRecords / kRecordsPerPage;

// A descriptor number while it refers to one target, in one image.
struct alignas(64) DescriptorRecord {
  uint32_t ready;  // set last
  int32_t fd;      // -1: catch-all of descriptors that found no record of their own
  uint64_t dev, ino, rdev;
  uint32_t generation;  // 1 for the first target of this number
  Stream stream;
  TargetKind kind;
  Origin origin;
  uint8_t stdio_inexact;  // some stdio calls on it were inlined by the compiler
  Ref path;               // PathText, 0 where none was read
  // Published by the stdio wrappers, read by the launcher.
  uint32_t stdio_mode;  // Buffering of the FILE last seen on it
  uint64_t buffer_bytes;
  uint64_t unflushed_bytes;
  uint64_t merged_descriptors;  // catch-all: how many
};

struct alignas(64) RecordPage {
  DescriptorRecord records[kRecordsPerPage];
};

struct PathText {
  uint32_t length;
  char text[];
};

inline constexpr unsigned kOriginCount = 256;  // descriptors whose origin is handed over at exec

struct alignas(64) Lane {
  int32_t tid;  // the thread that owns it; taken over by compare-and-swap once that thread is gone
  Ref next;     // in the image's list
  uint64_t random;                     // state of the interval generator
  Origin vfork_origins[kOriginCount];  // as the child of a vfork by this thread changed them
  Ref blocks[kMaxRecords + 1];         // CounterBlock, by record number plus one; [0] is never set
};

// Flags of an image.
inline constexpr uint32_t kImageForkUnprotected =
    1;  // MADV_WIPEONFORK failed: raw clone() children are miscounted
inline constexpr uint32_t kImageIgnoresChildren =
    2;  // SIGCHLD ignored: the kernel drops its children's counts
inline constexpr uint32_t kImageFrozen = 4;          // no system calls of ours any more (seccomp)
inline constexpr uint32_t kImageInlinesStdio = 8;    // imports __overflow: putc_unlocked is inlined
inline constexpr uint32_t kImageRestartsCalls = 64;  // has a signal handler with SA_RESTART
inline constexpr uint32_t kImageFull = 128;          // memory was refused: no more is asked for
inline constexpr uint32_t kImageForkedCopy = 16;     // made by fork, not by exec
inline constexpr uint32_t kImageNarrowWindow = 32;   // only one segment is mapped (small RLIMIT_AS)

inline constexpr unsigned kCommandCapacity = 2048;
inline constexpr unsigned kPathCapacity = 512;

// One executed program in one process. Written by that process.
struct alignas(64) ImageRecord {
  uint32_t slot;
  uint32_t parent_slot_plus_one;       // the image that forked or spawned this process
  uint32_t predecessor_slot_plus_one;  // the image that this one replaced by exec
  int32_t pid;
  uint32_t flags;  // atomic
  Counting counting;
  uint64_t started_ns;             // CLOCK_MONOTONIC
  uint32_t threads;                // atomic; that wrote anything
  uint32_t record_count;           // atomic; records handed out, catch-alls excluded
  uint32_t path_count;             // atomic; paths read
  Ref lanes;                       // atomic; head of the list
  Ref takeover_cursor;             // atomic; where the search for an abandoned lane goes on
  uint64_t allocation;             // atomic; segment << 32 | offset in it
  uint64_t overflow_calls;         // atomic; calls for which there was no counter block
  Ref record_pages[kRecordPages];  // atomic
  uint32_t command_length;         // NUL-separated
  uint32_t command_truncated;
  uint32_t executable_length;
  char command[kCommandCapacity];
  char executable[kPathCapacity];
};

enum class SlotState : uint32_t { unused, announced, attaching, attached, withdrawn };

enum class NotInstrumented : uint32_t {
  unknown,
  static_program,
  setuid,
  foreign_class,
  other_libc,
  another_run,
  not_followed
};
inline constexpr const char* kNotInstrumentedNames[] = {
    "unknown", "static", "setuid", "32-bit", "other libc", "another run", "not followed"};

// What an image says of the program that it is about to execute, for the successor and, if none
// answers, the launcher.
struct alignas(64) Announcement {
  uint32_t in_use;  // atomic; 1 until answered or withdrawn
  Ref next;         // in the announcer's process
  uint32_t slot;    // that it stands in
  uint32_t announcer_slot_plus_one;
  uint32_t in_place;                // the announcer itself is replaced
  NotInstrumented expected_reason;  // if nobody answers
  uint32_t command_length;          // NUL-separated
  uint32_t command_truncated;
  uint32_t path_length;          // 0: not known
  Origin origins[kOriginCount];  // by descriptor number
  char path[kPathCapacity];      // as passed to exec: the successor compares it with AT_EXECFN
  char command[kCommandCapacity / 2];
};

struct Slot {
  uint32_t state_word;  // a SlotState; by the functions below
  Ref announcement;
  Ref image;    // ImageRecord, once attached
  int32_t pid;  // that executes; 0: not known yet (posix_spawn), or never announced
};

// (clang 14 knows no atomic access to an enumeration.)
inline SlotState state_of(const Slot& slot) {
  return static_cast<SlotState>(__atomic_load_n(&slot.state_word, __ATOMIC_ACQUIRE));
}
inline void set_state(Slot& slot, SlotState state) {
  __atomic_store_n(&slot.state_word, static_cast<uint32_t>(state), __ATOMIC_RELEASE);
}
// Whether the slot was in state `from`, and is in `to` now.
inline bool change_state(Slot& slot, SlotState from, SlotState to) {
  uint32_t expected = static_cast<uint32_t>(from);
  return __atomic_compare_exchange_n(&slot.state_word, &expected, static_cast<uint32_t>(to), false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

struct StreamTarget {
  uint32_t open;  // 0: closed when iotrace started
  TargetKind kind;
  uint8_t by_origin;  // the target alone does not decide
  uint64_t dev, ino, rdev;
  uint32_t path_length;
  char path[kPathCapacity];
};

struct ArenaHeader {
  uint64_t magic;
  uint32_t version;
  uint32_t header_size;  // sizeof(ArenaHeader), so that a different layout is refused
  uint64_t arena_size;
  uint64_t nonce;
  uint64_t started_ns;       // CLOCK_MONOTONIC
  uint64_t ns_per_tick_q32;  // nanoseconds per tick of the time stamp counter, times 2^32; 0: use
                             // clock_gettime
  Timing timing;
  uint8_t follow;            // 0: count the first image only
  uint32_t next_slot;        // atomic
  uint32_t next_segment;     // atomic
  uint64_t overflow_calls;   // atomic; calls of images that found no room at all
  uint32_t failed_attaches;  // atomic; images that found no room
  StreamTarget streams[2];   // stdout, stderr
};

inline constexpr uint64_t align_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}
inline constexpr uint64_t kSlotsOffset = 4096;
inline constexpr uint64_t kSegmentsOffset =
    align_up(kSlotsOffset + uint64_t{kSlotCount} * sizeof(Slot), kSegmentSize);
inline constexpr uint64_t kArenaSize = kSegmentsOffset + uint64_t{kSegmentCount} * kSegmentSize;
// Where a limit of the user's allows no file or no mapping of that size, it may be as small as
// this.
inline constexpr uint64_t kSmallestArenaSize = kSegmentsOffset + 64 * kSegmentSize;

inline constexpr uint32_t segments_in(uint64_t arena_size) {
  return static_cast<uint32_t>((arena_size - kSegmentsOffset) / kSegmentSize);
}

// Offset in the arena of segment number `index_plus_one`.
inline constexpr uint64_t segment_offset(uint32_t index_plus_one) {
  return kSegmentsOffset + uint64_t{index_plus_one - 1} * kSegmentSize;
}

static_assert(sizeof(ArenaHeader) <= kSlotsOffset);
static_assert(sizeof(ImageRecord) <= 4096);
static_assert(sizeof(Slot) == 16);
static_assert(sizeof(CounterBlock) % kRefUnit == 0);
static_assert(sizeof(DescriptorRecord) == 128);
static_assert(kArenaSize / kRefUnit <= UINT32_MAX);
static_assert(sizeof(kCallNames) / sizeof(char*) == kCallCount);

// ---- addressing
// ------------------------------------------------------------------------------------------------------

inline constexpr Ref ref_of_offset(uint64_t offset) { return static_cast<Ref>(offset / kRefUnit); }
inline constexpr uint64_t offset_of_ref(Ref ref) { return uint64_t{ref} * kRefUnit; }

template <typename T>
inline T* at(void* base, Ref ref) {
  return reinterpret_cast<T*>(static_cast<char*>(base) + offset_of_ref(ref));
}
template <typename T>
inline const T* at(const void* base, Ref ref) {
  return reinterpret_cast<const T*>(static_cast<const char*>(base) + offset_of_ref(ref));
}

inline Slot* slots_of(void* base) {
  return reinterpret_cast<Slot*>(static_cast<char*>(base) + kSlotsOffset);
}
inline const Slot* slots_of(const void* base) {
  return reinterpret_cast<const Slot*>(static_cast<const char*>(base) + kSlotsOffset);
}

}  // namespace iotrace
