#include "interpose/schedule_mark.h"

#include <stddef.h>

#include "interpose/symbols.h"

namespace iotrace {

volatile uint64_t* find_schedule_mark() {
  const ptrdiff_t* offset = rseq_offset();
  if (offset == nullptr) return nullptr;
  // struct rseq of linux/rseq.h: cpu_id_start, cpu_id, rseq_cs.
  char* area = static_cast<char*>(__builtin_thread_pointer()) + *offset;
  int32_t processor = *reinterpret_cast<volatile int32_t*>(area + 4);
  return processor >= 0 ? reinterpret_cast<volatile uint64_t*>(area + 8) : nullptr;
}

}  // namespace iotrace
