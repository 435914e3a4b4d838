// Door 1: the exported output calls. Each wrapper makes the call by the next definition and counts
// it; what its arguments mean is in shape.h. Not noexcept: they are cancellation points, and glibc
// cancels a thread by unwinding through them.

#include "interpose/export.h"
#include "interpose/shape.h"
#include "interpose/symbols.h"

using iotrace::Call;
using iotrace::counted;
namespace next = iotrace::next;

namespace {

template <typename T>
long as_long(T* pointer) {
  return reinterpret_cast<long>(pointer);
}
long as_long(size_t size) { return static_cast<long>(size); }

}  // namespace

IOTRACE_EXPORT ssize_t write(int fd, const void* buffer, size_t size) {
  return counted<Call::write>(
      {{fd, as_long(buffer), as_long(size)}}, [](long a, long b, long c) -> long {
        return next::write(static_cast<int>(a), reinterpret_cast<const void*>(b),
                           static_cast<size_t>(c));
      });
}
IOTRACE_EXPORT_ALIAS(__write, write);

IOTRACE_EXPORT ssize_t writev(int fd, const iovec* vectors, int count) {
  return counted<Call::writev>({{fd, as_long(vectors), count}},
                               [=] { return next::writev(fd, vectors, count); });
}

IOTRACE_EXPORT ssize_t pwrite(int fd, const void* buffer, size_t size, off_t offset) {
  return counted<Call::pwrite64>({{fd, as_long(buffer), as_long(size)}},
                                 [=] { return next::pwrite(fd, buffer, size, offset); });
}
IOTRACE_EXPORT_ALIAS(pwrite64, pwrite);
IOTRACE_EXPORT_ALIAS(__pwrite64, pwrite);

IOTRACE_EXPORT ssize_t pwritev(int fd, const iovec* vectors, int count, off_t offset) {
  return counted<Call::pwritev>({{fd, as_long(vectors), count}},
                                [=] { return next::pwritev(fd, vectors, count, offset); });
}
IOTRACE_EXPORT_ALIAS(pwritev64, pwritev);

IOTRACE_EXPORT ssize_t pwritev2(int fd, const iovec* vectors, int count, off_t offset, int flags) {
  // glibc makes a plain pwritev (offset -1: writev) of it when no flag is set and the kernel lacks
  // the call; such kernels (before 4.6) are not supported.
  return counted<Call::pwritev2>({{fd, as_long(vectors), count}},
                                 [=] { return next::pwritev2(fd, vectors, count, offset, flags); });
}
IOTRACE_EXPORT_ALIAS(pwritev64v2, pwritev2);

IOTRACE_EXPORT ssize_t send(int fd, const void* buffer, size_t size, int flags) {
  return counted<Call::sendto>({{fd, as_long(buffer), as_long(size)}},
                               [=] { return next::send(fd, buffer, size, flags); });
}
IOTRACE_EXPORT_ALIAS(__send, send);

IOTRACE_EXPORT ssize_t sendto(int fd, const void* buffer, size_t size, int flags,
                              const sockaddr* address, socklen_t length) {
  return counted<Call::sendto>({{fd, as_long(buffer), as_long(size)}}, [=] {
    return next::sendto(fd, buffer, size, flags, address, length);
  });
}

IOTRACE_EXPORT ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  return counted<Call::sendmsg>({{fd, as_long(message)}},
                                [=] { return next::sendmsg(fd, message, flags); });
}

IOTRACE_EXPORT int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
  return static_cast<int>(
      counted<Call::sendmmsg>({{fd, as_long(messages), static_cast<long>(count)}},
                              [=] { return next::sendmmsg(fd, messages, count, flags); }));
}

IOTRACE_EXPORT ssize_t sendfile(int out, int in, off_t* offset, size_t size) noexcept {
  return counted<Call::sendfile>({{out}}, [=] { return next::sendfile(out, in, offset, size); });
}
IOTRACE_EXPORT_ALIAS(sendfile64, sendfile);

IOTRACE_EXPORT ssize_t copy_file_range(int in, off64_t* in_offset, int out, off64_t* out_offset,
                                       size_t size, unsigned flags) {
  return counted<Call::copy_file_range>({{in, as_long(in_offset), out}}, [=] {
    return next::copy_file_range(in, in_offset, out, out_offset, size, flags);
  });
}

IOTRACE_EXPORT ssize_t splice(int in, off64_t* in_offset, int out, off64_t* out_offset, size_t size,
                              unsigned flags) {
  return counted<Call::splice>({{in, as_long(in_offset), out}}, [=] {
    return next::splice(in, in_offset, out, out_offset, size, flags);
  });
}

IOTRACE_EXPORT ssize_t tee(int in, int out, size_t size, unsigned flags) {
  return counted<Call::tee>({{in, out}}, [=] { return next::tee(in, out, size, flags); });
}

IOTRACE_EXPORT ssize_t vmsplice(int fd, const iovec* vectors, size_t count, unsigned flags) {
  return counted<Call::vmsplice>({{fd, as_long(vectors), as_long(count)}},
                                 [=] { return next::vmsplice(fd, vectors, count, flags); });
}
