// Writes reports so that no existing file is lost before there is something to put in its place.
//
// The temporary is a named file beside its target, since only a rename within one file system is
// atomic. It is created with the mode that open and the umask give, so that the umask need not be
// read by changing it.
#include "cli/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "cli/format_text.h"
#include "cli/launch.h"

namespace iotrace {
namespace {

// A reader that has gone away must be an error here, not the launcher's death. Nothing else writes
// meanwhile: the launcher has one thread.
class SigpipeIgnored {
 public:
  SigpipeIgnored() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before_);
  }
  ~SigpipeIgnored() { sigaction(SIGPIPE, &before_, nullptr); }
  SigpipeIgnored(const SigpipeIgnored&) = delete;
  SigpipeIgnored& operator=(const SigpipeIgnored&) = delete;

 private:
  struct sigaction before_ = {};
};

// 0 or an errno. The descriptor may be non-blocking: it can be shared with a program that made it
// so.
int write_all(int fd, std::string_view text) {
  const SigpipeIgnored ignored;
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd writable = {.fd = fd, .events = POLLOUT, .revents = 0};
      if (poll(&writable, 1, -1) < 0 && errno != EINTR) return errno;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

std::string describe(const std::string& path, int error) {
  std::string text = "iotrace: cannot write '" + sanitize(path) + "': " + strerror(error);
  if (error == ENOENT || error == ENOTDIR) text += " (create its folder first)";
  if (error == EISDIR) text += " (name a file in it)";
  if (error == EACCES || error == EROFS) text += " (name a file in a folder that you may write to)";
  return text;
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// What `path` ends at when links are followed, also when nothing is there yet: realpath would
// refuse that. Empty, with errno, when it cannot be found out.
std::string follow_links(std::string path) {
  constexpr int kMostLinks = 40;  // the kernel's own limit
  for (int links = 0; links < kMostLinks; ++links) {
    struct stat status;
    if (lstat(path.c_str(), &status) != 0) return errno == ENOENT ? path : "";
    if (!S_ISLNK(status.st_mode)) return path;
    std::string target(4096, '\0');
    const ssize_t length = readlink(path.c_str(), target.data(), target.size());
    if (length < 0) return "";
    target.resize(static_cast<size_t>(length));
    if (!target.starts_with('/')) target.insert(0, folder_of(path));
    path = std::move(target);
  }
  errno = ELOOP;
  return "";
}

// Which of the launcher's stdout and stderr is the same open file, if it can be written to. To
// replace that file would lose what the program writes to it; /dev/stderr is the usual name for it.
std::optional<int> own_descriptor_of(const struct stat& status) {
  for (const int fd : {STDERR_FILENO, STDOUT_FILENO}) {
    struct stat own;
    const bool same =
        fstat(fd, &own) == 0 && own.st_dev == status.st_dev && own.st_ino == status.st_ino;
    if (same && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY) return fd;
  }
  return std::nullopt;
}

int open_directly(const std::string& path, const struct stat& status) {
  if (const std::optional<int> own = own_descriptor_of(status)) {
    return fcntl(*own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  }
  int fd = -1;
  do {
    fd = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  } while (fd < 0 && errno == EINTR);
  return keep_above_stderr(fd);
}

}  // namespace

std::variant<OutputFile, std::string> OutputFile::prepare(std::string path) {
  OutputFile file(std::move(path));
  struct stat status;
  const bool exists = stat(file.path_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) return describe(file.path_, errno);
  if (exists && S_ISDIR(status.st_mode)) return describe(file.path_, EISDIR);
  if (exists && (!S_ISREG(status.st_mode) || own_descriptor_of(status))) {
    file.fd_ = open_directly(file.path_, status);
  } else {
    file.place_ = follow_links(file.path_);
    if (file.place_.empty()) return describe(file.path_, errno);
    // A rename needs no permission on the file itself, but whoever made it read-only meant it.
    if (exists && faccessat(AT_FDCWD, file.place_.c_str(), W_OK, AT_EACCESS) != 0) {
      return describe(file.path_, errno);
    }
    file.fd_ = file.open_beside();
  }
  if (file.fd_ < 0) return describe(file.path_, errno);
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      place_(std::move(other.place_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    place_ = std::move(other.place_);
    temporary_ = std::exchange(other.temporary_, {});
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

OutputFile::~OutputFile() { discard(); }

std::optional<std::string> OutputFile::commit(std::string_view text) {
  int error = temporary_.empty() ? 0 : keep_mode();
  if (error == 0) error = write_all(fd_, text);
  // Network file systems and quotas may report only here that there was no room.
  if (close(std::exchange(fd_, -1)) != 0 && error == 0) error = errno;
  if (error == 0 && !temporary_.empty()) {
    if (rename(temporary_.c_str(), place_.c_str()) == 0) {
      temporary_.clear();
    } else {
      error = errno;
    }
  }
  discard();
  if (error != 0) return describe(path_, error);
  return std::nullopt;
}

// Creates the temporary; its descriptor, or -1 with errno.
int OutputFile::open_beside() {
  const std::string stem = folder_of(place_) + ".iotrace." + std::to_string(getpid()) + ".";
  constexpr int kAttempts =
      1000;  // a name may be taken by another file of this run, or by another PID namespace
  for (int i = 0; i < kAttempts; ++i) {
    std::string name = stem + std::to_string(i);
    const int fd = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd >= 0) temporary_ = std::move(name);
    return keep_above_stderr(fd);
  }
  return -1;
}

// Gives the temporary the mode, and where allowed the owner, of the file that it replaces. 0 or an
// errno.
int OutputFile::keep_mode() {
  struct stat status;
  if (stat(place_.c_str(), &status) != 0) return errno == ENOENT ? 0 : errno;
  const bool same_owner = fchown(fd_, status.st_uid, status.st_gid) == 0;
  // A set-user-ID bit must not pass to another owner.
  return fchmod(fd_, status.st_mode & (same_owner ? 07777 : 0777)) == 0 ? 0 : errno;
}

void OutputFile::discard() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
  if (!temporary_.empty()) unlink(std::exchange(temporary_, {}).c_str());
}

std::optional<std::string> write_to_stderr(std::string_view text) {
  if (const int error = write_all(STDERR_FILENO, text)) return describe("stderr", error);
  return std::nullopt;
}

}  // namespace iotrace
