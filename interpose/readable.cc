#include "interpose/readable.h"

#include <link.h>
#include <stdint.h>
#include <sys/auxv.h>

#include "interpose/image.h"
#include "interpose/raw.h"
#include "interpose/symbols.h"

// The end of the heap as glibc knows it; other C libraries do not have it.
extern "C" __attribute__((weak)) char* __curbrk;

namespace iotrace {

constinit ProgramRange program_range = {};
constinit uintptr_t verified_pages[kVerifiedPages] = {};

namespace {
constexpr char kNotKnown = 0;
}  // namespace
constinit const volatile char* is_single_threaded = &kNotKnown;

namespace {

uintptr_t heap_start, main_stack_end;
bool heap_is_trusted = true;

// The kernel leaves at least this much free below the main thread's stack (mmap_base in
// arch/x86/mm/mmap.c): what is nearer to the stack's end than that lies in the stack.
constexpr uintptr_t kMainStackGap = uintptr_t{128} << 20;
// The frames above the caller's on any other stack.
constexpr uintptr_t kNearbyFrames = 16 * 1024;

int visit_program(dl_phdr_info* info, size_t, void*) {
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_R)) continue;
    uintptr_t start = info->dlpi_addr + segment.p_vaddr;
    if (program_range.start == 0) program_range.start = start;
    uintptr_t end = program_range.start + program_range.size;
    // Only what is in one piece: a gap between segments is not readable.
    if (program_range.size != 0 && start > (end + 4095) / 4096 * 4096) break;
    program_range.size = start + segment.p_memsz - program_range.start;
  }
  return 1;
}

// Where the heap begins that ends at `end`. Libraries whose constructors ran before ours may have
// used it, the C++ runtime for one; what is found of that is limited for the sake of the time.
uintptr_t find_heap_start(uintptr_t end) {
  constexpr uintptr_t kPage = 4096;
  unsigned char in_core[256];
  uintptr_t found = 0;
  for (uintptr_t step = sizeof in_core; step > 0 && found < sizeof in_core; step /= 2) {
    if (raw::is_mapped(end / kPage * kPage - (found + step) * kPage, (found + step) * kPage,
                       in_core)) {
      found += step;
    } else if (found == 0 && step == sizeof in_core &&
               !raw::is_mapped(end / kPage * kPage - kPage, kPage, in_core)) {
      break;
    }
  }
  return found == 0 ? end : end / kPage * kPage - found * kPage;
}

// Memory that stays as long as the program does not take its own heap or stack apart.
bool is_lasting(uintptr_t address) {
  uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (address >= here) {
    // The C library keeps a thread's own data at the far end of its stack.
    uintptr_t stack_end = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
    if (address - here < kNearbyFrames && address < stack_end) return true;
    if (address < main_stack_end && main_stack_end - here < kMainStackGap) return true;
  }
  // Another thread may trim the heap, which no wrapper sees, between the question and the look.
  return *is_single_threaded && heap_is_trusted && &__curbrk != nullptr && address >= heap_start &&
         address < reinterpret_cast<uintptr_t>(__curbrk);
}

}  // namespace

void note_program_memory() {
  dl_iterate_phdr(visit_program, nullptr);
  if (const volatile char* flag = single_threaded_flag()) is_single_threaded = flag;
  main_stack_end = getauxval(AT_EXECFN);
  heap_start = find_heap_start(static_cast<uintptr_t>(raw_syscall(SYS_brk, 0)));
}

void distrust_memory(const void* start, size_t size) {
  uintptr_t from = reinterpret_cast<uintptr_t>(start);
  uintptr_t to = from + size;
  if (from < program_range.start + program_range.size && to > program_range.start) {
    program_range.size = 0;
  }
  uintptr_t heap_end = &__curbrk != nullptr ? reinterpret_cast<uintptr_t>(__curbrk) : 0;
  if (from < heap_end && to > heap_start) heap_is_trusted = false;
  for (uintptr_t& page : verified_pages) __atomic_store_n(&page, 0, __ATOMIC_RELAXED);
}

bool is_newline_carefully(const char* byte) {
  if (in_program(byte) || is_lasting(reinterpret_cast<uintptr_t>(byte))) return *byte == '\n';
  char copy = 0;
  // A frozen image makes no system call that its filter might answer with a signal.
  if (image_has(kImageFrozen) || !raw::read_memory(byte, &copy, 1)) return false;
  uintptr_t page = page_of(byte);
  __atomic_store_n(&verified_pages[page % kVerifiedPages], page, __ATOMIC_RELAXED);
  return copy == '\n';
}

}  // namespace iotrace
