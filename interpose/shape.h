// What the arguments of each output call mean: one Shape per row of calls.def, in terms of the
// kernel's arguments, so that the C library's wrapper and syscall() share it. Any context.
//
// A Shape looks at the caller's memory only after the kernel has done so successfully.
#pragma once

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "interpose/record.h"

namespace iotrace {

struct Arguments {
  long at[6];
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
  return {total_length(vectors, count), last};
}

// One buffer: (descriptor, address, length).
struct Buffer {
  static int descriptor(const Arguments& a) { return static_cast<int>(a.at[0]); }
  static uint64_t bytes(const Arguments&, long result) { return static_cast<uint64_t>(result); }
  static Transfer transfer(const Arguments& a, long, uint64_t bytes) {
    return {static_cast<uint64_t>(a.at[2]), pointer<char>(a.at[1]) + bytes - 1};
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
    if (result == 0) return {bytes, nullptr};
    const mmsghdr& last = pointer<mmsghdr>(a.at[1])[result - 1];
    return {bytes,
            vector_transfer(last.msg_hdr.msg_iov, last.msg_hdr.msg_iovlen, last.msg_len).last_byte};
  }
  static uint64_t requested_by_failed(const Arguments&, int) { return 0; }
};

// Copied inside the kernel: the length is an upper bound that callers do not expect to reach, so
// nothing is short.
template <int kDescriptor>
struct InKernel {
  static int descriptor(const Arguments& a) { return static_cast<int>(a.at[kDescriptor]); }
  static uint64_t bytes(const Arguments&, long result) { return static_cast<uint64_t>(result); }
  static Transfer transfer(const Arguments&, long, uint64_t bytes) { return {bytes, nullptr}; }
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

template <Call name>
inline void finish(const CallInProgress& call, const Arguments& arguments, long result) {
  using S = Shape<name>;
  if (!still_ours(call)) return;
  if (call.weight != 0) finish_timed(call);
  if (IOTRACE_LIKELY(result >= 0)) {
    uint64_t bytes = S::bytes(arguments, result);
    finish_succeeded(*call.block, bytes, S::transfer(arguments, result, bytes));
  } else {
    finish_failed(call, name, errno, S::requested_by_failed(arguments, errno));
  }
}

// Makes the call by `real` and counts it.
template <Call name, typename Real>
inline long counted(const Arguments& arguments, Real&& real) {
  CallInProgress call = begin(name, Shape<name>::descriptor(arguments));
  long result = real();
  finish<name>(call, arguments, result);
  return result;
}

}  // namespace iotrace
