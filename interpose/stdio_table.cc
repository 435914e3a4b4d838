#include "interpose/stdio_table.h"

#include <errno.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "interpose/elf_object.h"
#include "interpose/image.h"
#include "interpose/raw.h"
#include "interpose/shape.h"
#include "interpose/stdio_file.h"
#include "interpose/stdio_note.h"
#include "interpose/symbols.h"

namespace iotrace {
namespace {

using WriteFunction = ssize_t (*)(FILE*, const void*, ssize_t);

constexpr size_t kWriteSlot = 15;
// glibc has one table for each of: files, memory-mapped files, files that may be mapped, pipes of
// popen, and the wide forms. Fewer words than this mean that we are looking at something else.
constexpr int kFewestWords = 3;
constexpr size_t kPageSize = 4096;

FlushCause cause_of(const FILE& file, const void* data, ssize_t size) {
  if (const FlushMark* mark = valid_flush_mark()) return mark->cause;
  if (file._flags & kFileUnbuffered) return FlushCause::unbuffered;
  if (const WideBuffer* wide = wide_buffer_of(file)) {
    if (wide->write_ptr >= wide->buf_end) return FlushCause::full;
    if (file._flags & kFileLineBuffered) return FlushCause::newline;
    return process.exiting ? FlushCause::exit : FlushCause::other;
  }
  if (!in_buffer(file, data)) return FlushCause::direct;
  if (file._IO_write_ptr >= file._IO_buf_end) return FlushCause::full;
  if ((file._flags & kFileLineBuffered) && size > 0 &&
      static_cast<const char*>(data)[size - 1] == '\n') {
    return FlushCause::newline;
  }
  return process.exiting ? FlushCause::exit : FlushCause::other;
}

ssize_t write_without_cancellation(int fd, const void* data, ssize_t size) {
  long result = raw_syscall(SYS_write, fd, raw::address(data), size);
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}

ssize_t write_once(FILE* file, const void* data, ssize_t size, FlushCause cause) {
  int fd = file->_fileno;
  bool without_file = is_without_file();
  return counted<Call::write>(
      {{fd, raw::address(data), size}},
      [=] {
        if (file->_flags2 & kFileNotCancellable) return write_without_cancellation(fd, data, size);
        return next::write(fd, data, static_cast<size_t>(size));
      },
      [=](CounterBlock& block) {
        if (without_file) return;
        signal_safe_add(block.by_buffering[static_cast<unsigned>(buffering_of(*file))], 1);
        signal_safe_add(block.flush_causes[static_cast<unsigned>(cause)], 1);
      },
      [=](CounterBlock& block, uint64_t bytes) {
        if (!without_file) publish_written(*file, block, data, bytes);
      });
}

// Stands in for glibc's _IO_new_file_write and keeps its contract: writes until all is taken or a
// call fails, returns what was taken, keeps the file position if it is known, marks the stream on
// failure.
ssize_t write_for_stdio(FILE* file, const void* data, ssize_t size) {
  FlushCause cause = cause_of(*file, data, size);
  const char* from = static_cast<const char*>(data);
  ssize_t taken = 0;
  while (taken < size) {
    ssize_t result = write_once(file, from + taken, size - taken, cause);
    if (result < 0) {
      file->_flags |= kFileErrorSeen;
      break;
    }
    taken += result;
  }
  if (file->_offset >= 0) file->_offset += taken;
  return taken;
}

struct Search {
  const void* in_libc;
  uintptr_t relro_start = 0;
  size_t relro_size = 0;
  bool text_found = false;
  const void* text;
  bool first = true;
};

int visit(dl_phdr_info* info, size_t, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  ElfObject object(*info);
  if (search.first && object.imports("__overflow")) add_image_flags(kImageInlinesStdio);
  search.first = false;
  if (!object.contains(search.in_libc)) return 0;
  search.relro_start = object.relro_start();
  search.relro_size = object.relro_size();
  search.text_found = object.contains(search.text);
  return 1;
}

}  // namespace

bool hook_stdio_table() {
  const uintptr_t* const table = *reinterpret_cast<const uintptr_t* const*>(stdout + 1);
  Search search{.in_libc = stdout, .text = nullptr};
  dl_iterate_phdr(visit, &search);
  uintptr_t first = reinterpret_cast<uintptr_t>(table);
  if (search.relro_size == 0 || first < search.relro_start ||
      first + (kWriteSlot + 1) * sizeof(uintptr_t) > search.relro_start + search.relro_size) {
    return false;
  }
  uintptr_t original = table[kWriteSlot];
  int words = 0;
  uintptr_t* const begin =
      reinterpret_cast<uintptr_t*>(align_up(search.relro_start, sizeof(uintptr_t)));
  uintptr_t* const end = reinterpret_cast<uintptr_t*>(search.relro_start + search.relro_size);
  uintptr_t* lowest = nullptr;
  uintptr_t* highest = nullptr;
  for (uintptr_t* word = begin; word < end; ++word) {
    if (*word != original) continue;
    if (lowest == nullptr) lowest = word;
    highest = word;
    ++words;
  }
  if (words < kFewestWords) return false;
  // Only the pages with such words, for as short as possible.
  uintptr_t start = reinterpret_cast<uintptr_t>(lowest) & ~(kPageSize - 1);
  size_t size = align_up(reinterpret_cast<uintptr_t>(highest + 1), kPageSize) - start;
  if (raw::protect(reinterpret_cast<void*>(start), size, PROT_READ | PROT_WRITE) != 0) return false;
  for (uintptr_t* word = lowest; word <= highest; ++word) {
    if (*word == original) *word = reinterpret_cast<uintptr_t>(&write_for_stdio);
  }
  raw::protect(reinterpret_cast<void*>(start), size, PROT_READ);
  return true;
}

}  // namespace iotrace
