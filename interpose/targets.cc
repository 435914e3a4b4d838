#include "interpose/targets.h"

#include <asm/termbits.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#include "interpose/memory.h"
#include "interpose/raw.h"

namespace iotrace {
namespace {

// A path costs a readlink (1.9 us) where fstat costs 0.27: only so many per image.
constexpr uint32_t kPathsPerImage = 64;

// Reads the link /proc/self/fd/FD. Returns its length, or a negative errno.
long read_descriptor_link(int fd, char* text, size_t size) {
  char link[32];
  raw::write_descriptor_link(fd, link);
  return raw::readlink(link, text, size);
}

bool is_memfd(int fd) {
  constexpr char kPrefix[] = "/memfd:";
  char text[sizeof(kPrefix) - 1];
  return read_descriptor_link(fd, text, sizeof(text)) == sizeof(text) &&
         __builtin_memcmp(text, kPrefix, sizeof(text)) == 0;
}

bool is_terminal(int fd) {
  termios settings = {};
  return raw_syscall(SYS_ioctl, fd, TCGETS, raw::address(&settings)) == 0;
}

bool same_target(const StreamTarget& stream, const struct stat& status) {
  return stream.open && stream.dev == status.st_dev && stream.ino == status.st_ino &&
         stream.rdev == status.st_rdev;
}

}  // namespace

TargetKind kind_of(int fd, const struct stat& status) {
  switch (status.st_mode & S_IFMT) {
    case S_IFREG:
      return status.st_nlink == 0 && is_memfd(fd) ? TargetKind::memfd : TargetKind::file;
    case S_IFIFO:
      return TargetKind::pipe;
    case S_IFSOCK:
      return TargetKind::socket;
    case S_IFCHR:
      if (status.st_rdev == makedev(1, 3)) return TargetKind::null;
      return is_terminal(fd) ? TargetKind::tty : TargetKind::device;
    case S_IFBLK:
      return TargetKind::device;
    default:
      return TargetKind::other;
  }
}

Stream stream_by_origin(Origin origin) {
  switch (origin) {
    case Origin::from_stdout:
      return Stream::out;
    case Origin::from_stderr:
      return Stream::err;
    default:
      return Stream::other;
  }
}

Stream stream_of(Origin origin, const struct stat& status) {
  const StreamTarget(&streams)[2] = process.header->streams;
  for (int i = 0; i < 2; ++i) {
    if (!same_target(streams[i], status)) continue;
    if (!streams[i].by_origin) return static_cast<Stream>(i);
    Stream stream = stream_by_origin(origin);
    // An origin in a stream whose target this is not says nothing: the descriptor was replaced
    // where we did not see it.
    bool confirmed =
        stream != Stream::other && same_target(streams[static_cast<int>(stream)], status);
    return confirmed ? stream : Stream::other;
  }
  return Stream::other;
}

Ref read_path(int fd) {
  if (__atomic_fetch_add(&process.image->path_count, 1u, __ATOMIC_RELAXED) >= kPathsPerImage)
    return 0;
  char text[kPathCapacity];
  long length = read_descriptor_link(fd, text, sizeof(text));
  if (length <= 0) return 0;
  Ref ref = allocate(sizeof(PathText) + static_cast<size_t>(length));
  if (ref == 0) return 0;
  PathText* path = in_image<PathText>(ref);
  path->length = static_cast<uint32_t>(length);
  __builtin_memcpy(path->text, text, static_cast<size_t>(length));
  return ref;
}

}  // namespace iotrace
