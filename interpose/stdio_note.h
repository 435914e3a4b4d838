// What the wrappers around stdio calls and the hook below them tell each other, and what they
// publish in the arena. Any thread that may use the FILE.
#pragma once

#include <stdio.h>

#include "interpose/memory.h"
#include "interpose/record.h"
#include "interpose/stdio_file.h"

namespace iotrace {

// The mark set by a wrapper that is still on the stack, or nullptr.
inline const FlushMark* valid_flush_mark() {
  const FlushMark& mark = iotrace_thread.mark;
  bool deeper = __builtin_frame_address(0) < mark.frame;
  return mark.frame != nullptr && deeper ? &mark : nullptr;
}

// Inside dprintf, whose FILE lives for that call alone: its output calls count as raw ones.
inline bool is_without_file() {
  const FlushMark* mark = valid_flush_mark();
  return mark != nullptr && mark->without_file;
}

// The descriptor behind a FILE; -1 for strings, memory and cookies, which write nothing.
inline int descriptor_of(const FILE* file) {
  constexpr int kIsFile = 0x2000;  // _IO_IS_FILEBUF
  return file != nullptr && (file->_flags & kIsFile) ? file->_fileno : -1;
}

inline DescriptorRecord& record_of(const CounterBlock& block) {
  return *in_image<DescriptorRecord>(block.record);
}

inline void publish_mode(const FILE& file, DescriptorRecord& record) {
  record.stdio_mode = static_cast<uint32_t>(buffering_of(file));
  record.buffer_bytes = buffer_size_of(file);
}

// After a stdio call: what waits in the FILE, in case the process ends before it is written.
inline void publish_pending(const FILE& file, const CounterBlock& block) {
  DescriptorRecord& record = record_of(block);
  if (__builtin_expect(record.stdio_mode == 0, 0)) publish_mode(file, record);
  __atomic_store_n(&record.unflushed_bytes, pending_bytes(file), __ATOMIC_RELAXED);
}

// After an output call for the FILE, which has not taken note of it yet.
inline void publish_written(const FILE& file, const CounterBlock& block, const void* data,
                            uint64_t bytes) {
  DescriptorRecord& record = record_of(block);
  publish_mode(file, record);
  uint64_t waiting;
  if (wide_buffer_of(file) != nullptr) {
    waiting = record.unflushed_bytes;
  } else if (in_buffer(file, data)) {
    waiting = static_cast<uint64_t>(file._IO_write_ptr - static_cast<const char*>(data));
  } else {
    return;
  }
  __atomic_store_n(&record.unflushed_bytes, waiting > bytes ? waiting - bytes : 0,
                   __ATOMIC_RELAXED);
}

}  // namespace iotrace
