#include "interpose/attach.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "interpose/arena_map.h"
#include "interpose/clock.h"
#include "interpose/descriptors.h"
#include "interpose/image.h"
#include "interpose/inherited.h"
#include "interpose/memory.h"
#include "interpose/raw.h"
#include "interpose/readable.h"
#include "interpose/records.h"
#include "interpose/shared/version.h"
#include "interpose/stdio_table.h"
#include "interpose/symbols.h"

extern "C" __attribute__((weak)) const char* gnu_get_libc_version();

namespace iotrace {

constinit uint16_t no_records[kDescriptorTableSize] = {};
constinit Origin descriptor_origins[kDescriptorTableSize] = {};
constinit Process process;
constinit ArenaNames arena_names = {};

namespace {

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif
constexpr size_t kPageSize = 4096;

enum InitialisationState : int { kNotDone, kUnderWay, kDone };
int initialisation = kNotDone;

char** arguments_of_main = nullptr;  // where the C library told us

// What a child must not have of its parent. The kernel wipes it at fork, for a raw clone() too.
struct WipedAtFork {
  uint16_t records[kDescriptorTableSize];
  uint32_t generation;
};
WipedAtFork* wiped_page = nullptr;
bool kernel_wipes = false;

bool make_wiped_page() {
  constexpr size_t kSize = align_up(sizeof(WipedAtFork), kPageSize);
  void* start = raw::map(kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == nullptr) return false;
  kernel_wipes = raw::advise(start, kSize, MADV_WIPEONFORK) == 0;
  wiped_page = static_cast<WipedAtFork*>(start);
  process.records = wiped_page->records;
  return true;
}

void start_generation() {
  wiped_page->generation = ++process.last_generation;
  process.generation = &wiped_page->generation;
}

// Takes a segment for a new image and makes it the process's. False when there is no room.
bool start_image(uint32_t slot, uint32_t parent_plus_one, uint32_t predecessor_plus_one,
                 uint32_t flags) {
  ArenaHeader* header = process.header;
  uint32_t segment = take_segment(header);
  if (segment == 0 || !map_segment(segment)) return false;
  char* start = process.base + segment_offset(segment);
  // The image, its first records, a lane and a few counter blocks, in one go.
  if (!make_present(start, 4 * kPageSize)) return false;
  ImageRecord* image = reinterpret_cast<ImageRecord*>(start);
  image->slot = slot;
  image->parent_slot_plus_one = parent_plus_one;
  image->predecessor_slot_plus_one = predecessor_plus_one;
  image->pid = process.pid;
  image->flags = flags | (kernel_wipes ? 0 : kImageForkUnprotected) |
                 (is_narrow_window() ? kImageNarrowWindow : 0);
  image->started_ns = monotonic_ns();
  image->allocation = uint64_t{segment} << 32 | align_up(sizeof(ImageRecord), kRefUnit);
  process.image = image;
  note_own_segment(segment);
  process.slot = slot;
  return true;
}

void publish_image() {
  Slot& slot = slots_of(process.header)[process.slot];
  slot.image =
      ref_of_offset(segment_offset(static_cast<uint32_t>(process.image->allocation >> 32)));
  set_state(slot, SlotState::attached);
}

void note_failed_attach() {
  process.image = nullptr;
  __atomic_fetch_add(&process.header->failed_attaches, 1u, __ATOMIC_RELAXED);
}

bool ignores_children() {
  struct {
    void* handler;
    unsigned long flags;
    void* restorer;
    uint64_t mask;
  } action = {};
  constexpr unsigned long kNoChildWait = 2;  // SA_NOCLDWAIT
  if (raw_syscall(SYS_rt_sigaction, SIGCHLD, 0, raw::address(&action), sizeof(uint64_t)) != 0)
    return false;
  return action.handler == reinterpret_cast<void*>(SIG_IGN) || (action.flags & kNoChildWait);
}

void attach(char** environment) {
  InheritedNames names;
  if (!read_inherited_names(environment, &names)) return;
  ArenaHeader* header = map_arena(names.arena_path, names.nonce);
  if (header == nullptr) return;
  // Without following, the first image alone is counted: whoever finds the first slot taken is
  // another one.
  if (!header->follow && state_of(*slots_of(header)) != SlotState::announced) return;
  if (!make_wiped_page()) return;
  process.pid = raw::getpid();
  process.timing = header->timing;
  process.ns_per_tick_q32 = header->ns_per_tick_q32;
  if (process.timing != Timing::off) process.clock_ticks = measure_clock();
  process.header = header;
  Inheritance inheritance = inherit(header, names, process.pid);
  if (inheritance.slot_plus_one == 0 ||
      !start_image(inheritance.slot_plus_one - 1, inheritance.parent_plus_one,
                   inheritance.predecessor_plus_one,
                   ignores_children() ? kImageIgnoresChildren : 0)) {
    note_failed_attach();
  } else {
    describe_image(arguments_of_main, process.image);
    process.image->counting = Counting::symbols;
  }
  start_generation();
}

}  // namespace

void initialise_once() {
  if (__atomic_load_n(&initialisation, __ATOMIC_ACQUIRE) == kDone) return;
  int expected = kNotDone;
  // A signal handler that comes in between finds it under way and is not counted; nobody waits.
  if (!__atomic_compare_exchange_n(&initialisation, &expected, kUnderWay, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED)) {
    return;
  }
  resolve_next_definitions();
  note_program_memory();
  attach(initial_environment());
  if (process.image != nullptr) {
    if (hook_stdio_table()) process.image->counting = Counting::stdio_table;
    publish_image();
  }
  __atomic_store_n(&initialisation, kDone, __ATOMIC_RELEASE);
}

void attach_forked_child() {
  iotrace_thread = ThreadState();
  if (image_has(kImageFrozen)) {
    // Nothing may be asked of the kernel any more: what the child writes is left to the audit.
    process.image = nullptr;
    start_generation();
    return;
  }
  uint32_t parent_plus_one = process.image != nullptr ? process.slot + 1 : 0;
  uint32_t inherited_flags =
      process.image == nullptr
          ? 0
          : __atomic_load_n(&process.image->flags, __ATOMIC_RELAXED) &
                (kImageIgnoresChildren | kImageRestartsCalls | kImageInlinesStdio);
  const ImageRecord* parent = process.image;
  process.pid = raw::getpid();
  process.announcements = 0;
  forget_all_records();
  start_without_records();
  uint32_t slot_plus_one = process.header->follow ? take_slot(process.header) : 0;
  if (slot_plus_one == 0 ||
      !start_image(slot_plus_one - 1, parent_plus_one, 0, inherited_flags | kImageForkedCopy)) {
    note_failed_attach();
  } else {
    if (parent != nullptr) copy_description(*parent, process.image);
    process.image->counting = parent != nullptr ? parent->counting : Counting::symbols;
    publish_image();
  }
  start_generation();
}

void attach_in_forked_child() {
  if (!have_arena()) return;
  // Where the kernel has not wiped it, this is how the child is told apart.
  wiped_page->generation = 0;
  attach_forked_child();
}

uint32_t take_slot(ArenaHeader* header) {
  uint32_t next = __atomic_load_n(&header->next_slot, __ATOMIC_RELAXED);
  do {
    if (next >= kSlotCount) return 0;
  } while (!__atomic_compare_exchange_n(&header->next_slot, &next, next + 1, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  if (!make_present(&slots_of(header)[next], sizeof(Slot))) return 0;
  return next + 1;
}

}  // namespace iotrace

namespace iotrace {
namespace {

template <typename Note>
constexpr Note make_note() {
  Note note = {{sizeof("iotrace"), sizeof(note.marker), 1}, "iotrace", {}};
  for (size_t i = 0; i < sizeof(kLibraryMarker); ++i) note.marker[i] = kLibraryMarker[i];
  return note;
}

}  // namespace
}  // namespace iotrace

namespace {

// Looked for by the launcher at the beginning of the library's file, where linkers put notes.
struct VersionNote {
  ElfW(Nhdr) header;
  char name[8];
  char marker[iotrace::align_up(sizeof(iotrace::kLibraryMarker), 4)];
};
__attribute__((used, section(".note.iotrace"), aligned(4))) constexpr VersionNote version_note =
    iotrace::make_note<VersionNote>();

// glibc passes the arguments of main to constructors, musl does not.
__attribute__((constructor(101))) void start(int, char** argv, char**) {
  if (&gnu_get_libc_version != nullptr) iotrace::arguments_of_main = argv;
  iotrace::initialise_once();
}

__attribute__((destructor(101))) void finish() { iotrace::process.exiting = true; }

}  // namespace
