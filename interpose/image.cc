#include "interpose/image.h"

#include <sys/prctl.h>

#include "interpose/process.h"
#include "interpose/raw.h"

namespace iotrace {

namespace {

void copy_command(char* const* argv, ImageRecord* image) {
  for (; *argv != nullptr && !image->command_truncated; ++argv) {
    size_t size = __builtin_strlen(*argv) + 1;
    size_t room = sizeof(image->command) - image->command_length;
    image->command_truncated = size > room;
    if (size > room) size = room;
    __builtin_memcpy(image->command + image->command_length, *argv, size);
    image->command_length += static_cast<uint32_t>(size);
  }
}

void read_command(ImageRecord* image) {
  int fd = raw::open("/proc/self/cmdline", O_RDONLY);
  if (fd < 0) return;
  long length = raw::read(fd, image->command, sizeof(image->command));
  if (length > 0) image->command_length = static_cast<uint32_t>(length);
  char more;
  image->command_truncated = length == sizeof(image->command) && raw::read(fd, &more, 1) == 1;
  raw::close(fd);
}

}  // namespace

void describe_image(char* const* argv, ImageRecord* image) {
  // Asking the kernel costs three system calls.
  if (argv != nullptr) {
    copy_command(argv, image);
  } else {
    read_command(image);
  }
  long length = raw::readlink("/proc/self/exe", image->executable, sizeof(image->executable));
  if (length > 0) image->executable_length = static_cast<uint32_t>(length);
}

void copy_description(const ImageRecord& parent, ImageRecord* child) {
  child->command_length = parent.command_length;
  child->command_truncated = parent.command_truncated;
  child->executable_length = parent.executable_length;
  __builtin_memcpy(child->command, parent.command, parent.command_length);
  __builtin_memcpy(child->executable, parent.executable, parent.executable_length);
}

void add_image_flags(uint32_t flags) {
  if (process.image != nullptr) __atomic_fetch_or(&process.image->flags, flags, __ATOMIC_RELAXED);
}

bool image_has(uint32_t flag) {
  return process.image != nullptr &&
         (__atomic_load_n(&process.image->flags, __ATOMIC_RELAXED) & flag);
}

void freeze_image() {
  if (!have_arena()) return;
  add_image_flags(kImageFrozen);
  process.timing = Timing::off;
}

void note_prctl(int option) {
  if (option == PR_SET_SECCOMP || option == PR_SET_TSC) freeze_image();
}

}  // namespace iotrace
