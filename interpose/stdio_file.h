// What a glibc FILE says of itself: mode, buffer, bytes that wait in it. Any context in which the
// FILE may be looked at. Right on glibc 2.31, 2.36, 2.41 and 2.43. Source: glibc
// bits/types/struct_FILE.h, libio/libio.h.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "interpose/shared/arena.h"

namespace iotrace {

inline constexpr int kFileUnbuffered = 0x2;
inline constexpr int kFileErrorSeen = 0x20;
inline constexpr int kFileLineBuffered = 0x200;
inline constexpr int kFileNotCancellable = 0x2;  // in _flags2

inline Buffering buffering_of(const FILE& file) {
  if (file._flags & kFileUnbuffered) return Buffering::unbuffered;
  return file._flags & kFileLineBuffered ? Buffering::line : Buffering::full;
}

inline uint64_t buffer_size_of(const FILE& file) {
  return file._flags & kFileUnbuffered
             ? 0
             : static_cast<uint64_t>(file._IO_buf_end - file._IO_buf_base);
}

// The buffer of a stream of wide characters, which are converted when it is flushed, in small
// pieces through a buffer elsewhere. Source: glibc libio/libio.h (struct _IO_wide_data).
struct WideBuffer {
  const wchar_t *read_ptr, *read_end, *read_base, *write_base, *write_ptr, *write_end, *buf_base,
      *buf_end;
};

// nullptr: a stream of bytes.
inline const WideBuffer* wide_buffer_of(const FILE& file) {
  return file._mode > 0 ? reinterpret_cast<const WideBuffer*>(file._wide_data) : nullptr;
}

// Bytes that stdio holds and has not written yet. Wide characters count one each until they are
// converted: at least that many bytes will be lost with them.
inline uint64_t pending_bytes(const FILE& file) {
  ptrdiff_t pending = file._IO_write_ptr - file._IO_write_base;
  if (const WideBuffer* wide = wide_buffer_of(file)) pending += wide->write_ptr - wide->write_base;
  return pending > 0 ? static_cast<uint64_t>(pending) : 0;
}

inline bool in_buffer(const FILE& file, const void* data) {
  return data >= file._IO_buf_base && data < file._IO_buf_end;
}

}  // namespace iotrace
