// The exported stdio calls that flush or close: they say why stdio writes, and count explicit
// flushes. Any thread.

#include "interpose/attach.h"
#include "interpose/descriptors.h"
#include "interpose/export.h"
#include "interpose/stdio_note.h"
#include "interpose/symbols.h"

namespace next = iotrace::next;
using iotrace::CounterBlock;
using iotrace::descriptor_of;
using iotrace::FlushCause;

namespace {

// Makes a call that flushes for the reason given; output calls inside it see the mark.
template <typename Real>
inline auto marked(FlushCause cause, Real real, bool without_file = false) {
  iotrace::FlushMark& mark = iotrace_thread.mark;
  iotrace::FlushMark outer = mark;
  mark = {cause, without_file, __builtin_frame_address(0)};
  auto result = real();
  mark = outer;
  return result;
}

void count_flush(FILE* file) {
  int fd = descriptor_of(file);
  CounterBlock* block = fd >= 0 ? iotrace::block_of(fd) : nullptr;
  if (block == nullptr) return;
  iotrace::signal_safe_add(block->fflush_calls, 1);
  if (iotrace::pending_bytes(*file) == 0) iotrace::signal_safe_add(block->fflush_empty_calls, 1);
}

void publish_after_flush(FILE* file) {
  int fd = descriptor_of(file);
  CounterBlock* block = fd >= 0 ? iotrace::block_of(fd) : nullptr;
  if (block != nullptr) iotrace::publish_pending(*file, *block);
}

template <typename Real>
int flush(FILE* file, Real real) {
  // All streams: of these two it is known that they are there.
  FILE* const streams[] = {file != nullptr ? file : stdout, file != nullptr ? nullptr : stderr};
  for (FILE* stream : streams) count_flush(stream);
  int result = marked(FlushCause::fflush, [&] { return real(file); });
  for (FILE* stream : streams) publish_after_flush(stream);
  return result;
}

template <typename Real>
FILE* reopen(FILE* file, Real real) {
  int before = descriptor_of(file);
  FILE* result = marked(FlushCause::close, real);
  if (before >= 0) iotrace::forget(before);
  int after = descriptor_of(result);
  if (after >= 0) iotrace::forget(after);
  return result;
}

template <typename Real>
int close_file(FILE* file, Real real) {
  int fd = descriptor_of(file);
  int result = marked(FlushCause::close, [&] { return real(file); });
  if (fd >= 0) iotrace::forget(fd);
  return result;
}

}  // namespace

IOTRACE_EXPORT int fflush(FILE* file) { return flush(file, next::fflush); }
IOTRACE_EXPORT int fflush_unlocked(FILE* file) { return flush(file, next::fflush_unlocked); }

IOTRACE_EXPORT int fclose(FILE* file) { return close_file(file, next::fclose); }
IOTRACE_EXPORT int pclose(FILE* file) { return close_file(file, next::pclose); }

IOTRACE_EXPORT FILE* freopen(const char* path, const char* mode, FILE* file) {
  return reopen(file, [&] { return next::freopen(path, mode, file); });
}
IOTRACE_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* file) {
  return reopen(file, [&] { return next::freopen64(path, mode, file); });
}

IOTRACE_EXPORT int fcloseall() {
  return marked(FlushCause::close, [] { return next::fcloseall(); });
}

IOTRACE_EXPORT int vdprintf(int fd, const char* format, va_list arguments) {
  return marked(
      FlushCause::other, [&] { return next::vdprintf(fd, format, arguments); }, true);
}
IOTRACE_EXPORT int dprintf(int fd, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vdprintf(fd, format, arguments);
  va_end(arguments);
  return result;
}
IOTRACE_EXPORT int __vdprintf_chk(int fd, int flag, const char* format, va_list arguments) {
  return marked(
      FlushCause::other, [&] { return next::__vdprintf_chk(fd, flag, format, arguments); }, true);
}
IOTRACE_EXPORT int __dprintf_chk(int fd, int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = __vdprintf_chk(fd, flag, format, arguments);
  va_end(arguments);
  return result;
}
