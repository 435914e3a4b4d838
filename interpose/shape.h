// What the arguments of each output call mean: one Shape per row of calls.def, in terms of the
// kernel's arguments, so that the C library's wrapper and syscall() share it. Any context.
//
// A Shape looks at the caller's memory only after the kernel has done so successfully.
#pragma once

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <type_traits>

#include "interpose/clock.h"
#include "interpose/record.h"
#include "interpose/schedule_mark.h"

namespace iotrace {

// The first three: what a Shape needs is among them. Passed in registers to what is not inlined.
struct Arguments {
  long at[3];
};

template <Call name>
struct Shape;  // a row of calls.def without its Shape does not compile

namespace shapes {

template <typename T>
const T* pointer(long argument) {
  return reinterpret_cast<const T*>(argument);
}

// Whether the kernel had read the caller's vectors before it failed with `error`.
inline bool vectors_were_read(int error) {
  return error == EAGAIN || error == EPIPE || error == ENOSPC || error == EINTR || error == EIO ||
         error == EFBIG || error == EDQUOT || error == ECONNRESET;
}

inline uint64_t total_length(const iovec* vectors, size_t count) {
  uint64_t total = 0;
  for (size_t i = 0; i < count; ++i) total += vectors[i].iov_len;
  return total;
}

inline Transfer vector_transfer(const iovec* vectors, size_t count, uint64_t bytes) {
  const char* last = nullptr;
  uint64_t before = 0;
  for (size_t i = 0; i < count && before < bytes; ++i) {
    uint64_t taken = vectors[i].iov_len < bytes - before ? vectors[i].iov_len : bytes - before;
    if (taken > 0) last = static_cast<const char*>(vectors[i].iov_base) + taken - 1;
    before += taken;
  }
  return {total_length(vectors, count), last, last != nullptr};
}

// One buffer: (descriptor, address, length).
struct Buffer {
  static int descriptor(const Arguments& a) { return static_cast<int>(a.at[0]); }
  static uint64_t bytes(const Arguments&, long result) { return static_cast<uint64_t>(result); }
  static Transfer transfer(const Arguments& a, long, uint64_t bytes) {
    return {static_cast<uint64_t>(a.at[2]), pointer<char>(a.at[1]) + bytes - 1, true};
  }
  static uint64_t requested_by_failed(const Arguments& a, int) {
    return static_cast<uint64_t>(a.at[2]);
  }
};

// (descriptor, iovec array, its length).
struct Vectors {
  static int descriptor(const Arguments& a) { return static_cast<int>(a.at[0]); }
  static uint64_t bytes(const Arguments&, long result) { return static_cast<uint64_t>(result); }
  static Transfer transfer(const Arguments& a, long, uint64_t bytes) {
    return vector_transfer(pointer<iovec>(a.at[1]), static_cast<size_t>(a.at[2]), bytes);
  }
  static uint64_t requested_by_failed(const Arguments& a, int error) {
    if (!vectors_were_read(error)) return 0;
    return total_length(pointer<iovec>(a.at[1]), static_cast<size_t>(a.at[2]));
  }
};

// (descriptor, msghdr).
struct Message {
  static int descriptor(const Arguments& a) { return static_cast<int>(a.at[0]); }
  static uint64_t bytes(const Arguments&, long result) { return static_cast<uint64_t>(result); }
  static Transfer transfer(const Arguments& a, long, uint64_t bytes) {
    const msghdr& message = *pointer<msghdr>(a.at[1]);
    return vector_transfer(message.msg_iov, message.msg_iovlen, bytes);
  }
  static uint64_t requested_by_failed(const Arguments& a, int error) {
    if (!vectors_were_read(error)) return 0;
    const msghdr& message = *pointer<msghdr>(a.at[1]);
    return total_length(message.msg_iov, message.msg_iovlen);
  }
};

// (descriptor, mmsghdr array, its length); the result counts messages, not bytes.
struct Messages {
  static int descriptor(const Arguments& a) { return static_cast<int>(a.at[0]); }
  static uint64_t bytes(const Arguments& a, long result) {
    uint64_t total = 0;
    for (long i = 0; i < result; ++i) total += pointer<mmsghdr>(a.at[1])[i].msg_len;
    return total;
  }
  static Transfer transfer(const Arguments& a, long result, uint64_t bytes) {
    if (result == 0) return {bytes, nullptr, false};
    const mmsghdr& last = pointer<mmsghdr>(a.at[1])[result - 1];
    Transfer of_last = vector_transfer(last.msg_hdr.msg_iov, last.msg_hdr.msg_iovlen, last.msg_len);
    return {bytes, of_last.last_byte, of_last.has_last_byte};
  }
  static uint64_t requested_by_failed(const Arguments&, int) { return 0; }
};

// Copied inside the kernel: the length is an upper bound that callers do not expect to reach, so
// nothing is short.
template <int kDescriptor>
struct InKernel {
  static int descriptor(const Arguments& a) { return static_cast<int>(a.at[kDescriptor]); }
  static uint64_t bytes(const Arguments&, long result) { return static_cast<uint64_t>(result); }
  static Transfer transfer(const Arguments&, long, uint64_t bytes) {
    return {bytes, nullptr, false};
  }
  static uint64_t requested_by_failed(const Arguments&, int) { return 0; }
};

}  // namespace shapes

template <>
struct Shape<Call::write> : shapes::Buffer {};
template <>
struct Shape<Call::pwrite64> : shapes::Buffer {};
template <>
struct Shape<Call::sendto> : shapes::Buffer {};
template <>
struct Shape<Call::writev> : shapes::Vectors {};
template <>
struct Shape<Call::pwritev> : shapes::Vectors {};
template <>
struct Shape<Call::pwritev2> : shapes::Vectors {};
template <>
struct Shape<Call::vmsplice> : shapes::Vectors {};
template <>
struct Shape<Call::sendmsg> : shapes::Message {};
template <>
struct Shape<Call::sendmmsg> : shapes::Messages {};
template <>
struct Shape<Call::sendfile> : shapes::InKernel<0> {};
template <>
struct Shape<Call::copy_file_range> : shapes::InKernel<2> {};
template <>
struct Shape<Call::splice> : shapes::InKernel<2> {};
template <>
struct Shape<Call::tee> : shapes::InKernel<1> {};

// After the call, whatever it returned. `on_end` is told the counters if it has succeeded. Returns
// `result`, so that its caller has nothing left to do.
template <Call name, typename OnEnd>
[[gnu::noinline]] long count_return_slowly(CounterBlock& block, long a, long b, long c, long result,
                                           OnEnd on_end) {
  using S = Shape<name>;
  const Arguments arguments{{a, b, c}};
  if (result < 0) {
    finish_failed(block, name, errno, S::requested_by_failed(arguments, errno));
    return result;
  }
  uint64_t bytes = S::bytes(arguments, result);
  finish_succeeded(block, name, bytes, S::transfer(arguments, result, bytes));
  on_end(block, bytes);
  return result;
}

// The same for what nearly every call is: a success, complete, of a size between the extremes so
// far, in memory that can be looked at.
template <Call name, typename OnEnd>
inline long count_return(CounterBlock& block, const Arguments& arguments, long result,
                         OnEnd on_end) {
  using S = Shape<name>;
  if (IOTRACE_LIKELY(result > 0)) {
    uint64_t bytes = S::bytes(arguments, result);
    Transfer transfer = S::transfer(arguments, result, bytes);
    if (IOTRACE_LIKELY(transfer.requested == bytes && is_usual(block, bytes))) {
      if (IOTRACE_LIKELY(transfer.has_last_byte &&
                         may_look(transfer.last_byte, block.bytes_read))) {
        add_usual(block, bytes, *transfer.last_byte == '\n');
        on_end(block, bytes);
        return result;
      }
    }
  }
  const auto& [a, b, c] = arguments.at;
  return count_return_slowly<name>(block, a, b, c, result, on_end);
}

// Whether these are counters of the calling process. They are not in a child that a signal handler
// forked inside the call: it returns from the call too, but its parent counts it.
inline bool is_own(const CounterBlock& block) {
  return IOTRACE_LIKELY(block.owner_slot == process.slot);
}

template <Call name>
inline void count_entry(CounterBlock& block) {
  if (name != Call::write) signal_safe_add(block.calls[static_cast<unsigned>(name)], 1);
}

// Makes the real call. One that needs nothing but its first three arguments may take them here
// rather than carry copies of them past everything that is not inlined.
template <typename Real>
inline long make_call(const Real& real, const Arguments& arguments) {
  if constexpr (std::is_invocable_v<Real, long, long, long>) {
    return real(arguments.at[0], arguments.at[1], arguments.at[2]);
  } else {
    return real();
  }
}

// A call that is timed, or whose target is to be checked first.
template <Call name, typename Real, typename OnBegin, typename OnEnd>
[[gnu::noinline]] long counted_rarely(CounterBlock* block, long a, long b, long c, Real real,
                                      OnBegin on_begin, OnEnd on_end) {
  const Arguments arguments{{a, b, c}};
  RareBeginning beginning = begin_rarely(block, Shape<name>::descriptor(arguments));
  block = beginning.block;
  if (block == nullptr) return make_call(real, arguments);
  count_entry<name>(*block);
  on_begin(*block);
  // Both looks at the clock are here, close to the call: the rest of this path, rarely taken, is
  // slow to fetch, which would add to the time of the call.
  const bool timed = beginning.weight != 0;
  uint64_t start_ticks = timed ? now_ticks() : 0;
  long result = make_call(real, arguments);
  uint64_t end_ticks = timed ? now_ticks() : 0;
  if (!is_own(*block)) return result;
  if (timed) finish_timed(*block, beginning.weight, start_ticks, end_ticks);
  return count_return<name>(*block, arguments, result, on_end);
}

// A call that may wait, and whose time is of interest only if it does.
template <Call name, typename Real, typename OnBegin, typename OnEnd>
[[gnu::noinline]] long counted_watched(CounterBlock* block, long a, long b, long c, Real real,
                                       OnBegin on_begin, OnEnd on_end) {
  const Arguments arguments{{a, b, c}};
  count_entry<name>(*block);
  on_begin(*block);
  ScheduleWatch watch(iotrace_thread.schedule_mark);
  long result = make_call(real, arguments);
  bool waited = watch.was_off_processor();
  if (!is_own(*block)) return result;
  if (waited) finish_waited(*block);
  return count_return<name>(*block, arguments, result, on_end);
}

// Makes the call by `real` and counts it. `on_begin` is told the counters before the call is made,
// `on_end` after it has succeeded.
template <Call name, typename Real, typename OnBegin, typename OnEnd>
inline long counted(const Arguments& arguments, Real real, OnBegin on_begin, OnEnd on_end) {
  CounterBlock* block = block_of(Shape<name>::descriptor(arguments));
  if (!IOTRACE_LIKELY(block != nullptr)) return make_call(real, arguments);
  if (!IOTRACE_LIKELY(!signal_safe_decrement(block->countdown))) {
    const auto& [a, b, c] = arguments.at;
    if (block->timing_mode == TimingMode::watched && --block->until_stamp > 0) {
      return counted_watched<name>(block, a, b, c, real, on_begin, on_end);
    }
    return counted_rarely<name>(block, a, b, c, real, on_begin, on_end);
  }
  count_entry<name>(*block);
  on_begin(*block);
  long result = make_call(real, arguments);
  if (!is_own(*block)) return result;
  return count_return<name>(*block, arguments, result, on_end);
}

template <Call name, typename Real>
inline long counted(const Arguments& arguments, Real&& real) {
  return counted<name>(
      arguments, real, [](CounterBlock&) {}, [](CounterBlock&, uint64_t) {});
}

}  // namespace iotrace
