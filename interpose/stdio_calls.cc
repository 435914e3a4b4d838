// The exported stdio calls: counted on the record of the FILE's descriptor, with what waits in the
// FILE afterwards. Any thread. The output calls that they cause are counted by the hook in
// stdio_table.cc, or, where that could not be set, by nobody.

#include "interpose/export.h"
#include "interpose/stdio_note.h"
#include "interpose/symbols.h"

namespace next = iotrace::next;
using iotrace::CounterBlock;
using iotrace::descriptor_of;
using iotrace::signal_safe_add;

namespace {

// Makes a stdio call by `real` and counts it.
template <typename Real>
inline auto counted_on(FILE* file, Real real) {
  int fd = descriptor_of(file);
  CounterBlock* block = fd >= 0 ? iotrace::block_of(fd) : nullptr;
  if (block == nullptr) return real();
  signal_safe_add(block->stdio_calls, 1);
  auto result = real();
  iotrace::publish_pending(*file, *block);
  return result;
}

void note_inlined(FILE* file) {
  int fd = descriptor_of(file);
  if (CounterBlock* block = fd >= 0 ? iotrace::block_of(fd) : nullptr) {
    iotrace::record_of(*block).stdio_inexact = 1;
  }
}

}  // namespace

// A variadic function is its va_list form; `last` is the parameter before the dots.
#define WITH_ARGUMENTS(last, call) \
  va_list arguments;               \
  va_start(arguments, last);       \
  auto result = (call);            \
  va_end(arguments);               \
  return result

IOTRACE_EXPORT int vfprintf(FILE* file, const char* format, va_list arguments) {
  return counted_on(file, [&] { return next::vfprintf(file, format, arguments); });
}
IOTRACE_EXPORT int vprintf(const char* format, va_list arguments) {
  return counted_on(stdout, [&] { return next::vfprintf(stdout, format, arguments); });
}
IOTRACE_EXPORT int printf(const char* format, ...) {
  WITH_ARGUMENTS(format, vprintf(format, arguments));
}
IOTRACE_EXPORT int fprintf(FILE* file, const char* format, ...) {
  WITH_ARGUMENTS(format, vfprintf(file, format, arguments));
}

IOTRACE_EXPORT int __vfprintf_chk(FILE* file, int flag, const char* format, va_list arguments) {
  return counted_on(file, [&] { return next::__vfprintf_chk(file, flag, format, arguments); });
}
IOTRACE_EXPORT int __vprintf_chk(int flag, const char* format, va_list arguments) {
  return counted_on(stdout, [&] { return next::__vprintf_chk(flag, format, arguments); });
}
IOTRACE_EXPORT int __printf_chk(int flag, const char* format, ...) {
  WITH_ARGUMENTS(format, __vprintf_chk(flag, format, arguments));
}
IOTRACE_EXPORT int __fprintf_chk(FILE* file, int flag, const char* format, ...) {
  WITH_ARGUMENTS(format, __vfprintf_chk(file, flag, format, arguments));
}

IOTRACE_EXPORT int vwprintf(const wchar_t* format, va_list arguments) {
  return counted_on(stdout, [&] { return next::vwprintf(format, arguments); });
}
IOTRACE_EXPORT int vfwprintf(FILE* file, const wchar_t* format, va_list arguments) {
  return counted_on(file, [&] { return next::vfwprintf(file, format, arguments); });
}
IOTRACE_EXPORT int wprintf(const wchar_t* format, ...) {
  WITH_ARGUMENTS(format, vwprintf(format, arguments));
}
IOTRACE_EXPORT int fwprintf(FILE* file, const wchar_t* format, ...) {
  WITH_ARGUMENTS(format, vfwprintf(file, format, arguments));
}
IOTRACE_EXPORT int __vfwprintf_chk(FILE* file, int flag, const wchar_t* format, va_list arguments) {
  return counted_on(file, [&] { return next::__vfwprintf_chk(file, flag, format, arguments); });
}
IOTRACE_EXPORT int __vwprintf_chk(int flag, const wchar_t* format, va_list arguments) {
  return counted_on(stdout, [&] { return next::__vwprintf_chk(flag, format, arguments); });
}
IOTRACE_EXPORT int __wprintf_chk(int flag, const wchar_t* format, ...) {
  WITH_ARGUMENTS(format, __vwprintf_chk(flag, format, arguments));
}
IOTRACE_EXPORT int __fwprintf_chk(FILE* file, int flag, const wchar_t* format, ...) {
  WITH_ARGUMENTS(format, __vfwprintf_chk(file, flag, format, arguments));
}

IOTRACE_EXPORT int puts(const char* text) {
  return counted_on(stdout, [&] { return next::puts(text); });
}
IOTRACE_EXPORT int putchar(int c) {
  return counted_on(stdout, [&] { return next::putchar(c); });
}
IOTRACE_EXPORT int putchar_unlocked(int c) {
  return counted_on(stdout, [&] { return next::putchar_unlocked(c); });
}
IOTRACE_EXPORT wint_t putwchar(wchar_t c) {
  return counted_on(stdout, [&] { return next::putwchar(c); });
}
IOTRACE_EXPORT wint_t putwchar_unlocked(wchar_t c) {
  return counted_on(stdout, [&] { return next::putwchar_unlocked(c); });
}
IOTRACE_EXPORT void perror(const char* text) {
  counted_on(stderr, [&] { return next::perror(text), 0; });
}
IOTRACE_EXPORT void psignal(int number, const char* text) {
  counted_on(stderr, [&] { return next::psignal(number, text), 0; });
}

// name(item, file): the FILE comes last.
#define PUT(name, type, item)                                        \
  IOTRACE_EXPORT type name(item what, FILE* file) {                  \
    return counted_on(file, [&] { return next::name(what, file); }); \
  }
PUT(fputs, int, const char*)
PUT(fputs_unlocked, int, const char*)
PUT(fputc, int, int)
PUT(fputc_unlocked, int, int)
PUT(putc, int, int)
PUT(putc_unlocked, int, int)
PUT(putw, int, int)
PUT(fputws, int, const wchar_t*)
PUT(fputws_unlocked, int, const wchar_t*)
PUT(fputwc, wint_t, wchar_t)
PUT(fputwc_unlocked, wint_t, wchar_t)
PUT(putwc, wint_t, wchar_t)
PUT(putwc_unlocked, wint_t, wchar_t)
IOTRACE_EXPORT_ALIAS(_IO_putc, putc);

IOTRACE_EXPORT size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  return counted_on(file, [&] { return next::fwrite(data, size, count, file); });
}
IOTRACE_EXPORT size_t fwrite_unlocked(const void* data, size_t size, size_t count, FILE* file) {
  return counted_on(file, [&] { return next::fwrite_unlocked(data, size, count, file); });
}

// Where the compiler has inlined putc_unlocked, this is all that is called, and only when the
// buffer is full.
IOTRACE_EXPORT int __overflow(FILE* file, int c) {
  note_inlined(file);
  return counted_on(file, [&] { return next::__overflow(file, c); });
}
