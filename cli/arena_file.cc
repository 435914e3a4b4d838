#include "cli/arena_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "cli/launch.h"
#include "cli/tick_rate.h"
#include "interpose/shared/environment.h"

namespace iotrace {
namespace {

const char* const kPlaces[] = {"/dev/shm", "/tmp"};

std::string hex(uint64_t value) {
  char text[17];
  snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(value));
  return text;
}

uint64_t random_number() {
  uint64_t value = 0;
  if (getrandom(&value, sizeof(value), 0) != sizeof(value)) {
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    value =
        static_cast<uint64_t>(now.tv_nsec) * 0x9e3779b97f4a7c15u ^ static_cast<uint64_t>(getpid());
  }
  return value;
}

uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// The arena is sparse, and normally as large as its layout allows. 0: not even a small one is.
uint64_t largest_allowed_size() {
  uint64_t size = kArenaSize;
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0) size = std::min<uint64_t>(size, limit.rlim_cur);
  // Half of the address space is the launcher's own.
  if (getrlimit(RLIMIT_AS, &limit) == 0) size = std::min<uint64_t>(size, limit.rlim_cur / 2);
  if (size < kSmallestArenaSize) return 0;
  return kSegmentsOffset + uint64_t{segments_in(size)} * kSegmentSize;
}

TargetKind kind_of(int fd, const struct stat& status, const std::string& path) {
  switch (status.st_mode & S_IFMT) {
    case S_IFREG:
      return path.starts_with("/memfd:") ? TargetKind::memfd : TargetKind::file;
    case S_IFIFO:
      return TargetKind::pipe;
    case S_IFSOCK:
      return TargetKind::socket;
    case S_IFCHR:
      if (status.st_rdev == makedev(1, 3)) return TargetKind::null;
      return isatty(fd) ? TargetKind::tty : TargetKind::device;
    case S_IFBLK:
      return TargetKind::device;
    default:
      return TargetKind::other;
  }
}

void describe_stream(int fd, StreamTarget* target) {
  struct stat status;
  if (!inherited_open(fd) || fstat(fd, &status) != 0) return;
  char path[kPathCapacity];
  std::string link = "/proc/self/fd/" + std::to_string(fd);
  ssize_t length = readlink(link.c_str(), path, sizeof(path));
  if (length > 0) {
    memcpy(target->path, path, static_cast<size_t>(length));
    target->path_length = static_cast<uint32_t>(length);
  }
  target->kind = kind_of(fd, status, std::string(target->path, target->path_length));
  target->dev = status.st_dev;
  target->ino = status.st_ino;
  target->rdev = status.st_rdev;
  target->open = 1;
}

bool is_own_entry(const std::string& item) {
  size_t slash = item.rfind('/');
  if (slash == std::string::npos || item.substr(slash + 1) != kLibraryName) return false;
  size_t before = item.rfind('/', slash - 1);
  return before != std::string::npos &&
         item.compare(before + 1, sizeof(kDirectoryPrefix) - 1, kDirectoryPrefix) == 0;
}

// `value` without the library of a run around this one, and with `library` last, if it is not
// empty.
std::string preload_value(const std::string& value, const std::string& library) {
  std::string result;
  size_t start = 0;
  while (start < value.size()) {
    size_t end = value.find_first_of(": ", start);
    if (end == std::string::npos) end = value.size();
    std::string item = value.substr(start, end - start);
    if (!item.empty() && !is_own_entry(item)) result += (result.empty() ? "" : ":") + item;
    start = end + 1;
  }
  if (!library.empty()) result += (result.empty() ? "" : ":") + library;
  return result;
}

void remove_directory(const std::string& directory) {
  if (DIR* entries = opendir(directory.c_str())) {
    while (const dirent* entry = readdir(entries)) {
      std::string_view name = entry->d_name;
      if (name != "." && name != "..") unlinkat(dirfd(entries), entry->d_name, 0);
    }
    closedir(entries);
  }
  rmdir(directory.c_str());
}

// A leftover has no launcher that holds the lock on its memory file.
bool is_leftover(const std::string& directory) {
  bool has_file = false, locked = false;
  if (DIR* entries = opendir(directory.c_str())) {
    while (const dirent* entry = readdir(entries)) {
      if (entry->d_name[0] == '.' || strcmp(entry->d_name, kLibraryName) == 0) continue;
      std::string path = directory + "/" + entry->d_name;
      int fd = keep_above_stderr(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
      if (fd < 0) continue;
      has_file = true;
      // Shared: two who sweep at the same time must not take each other for the owner.
      locked |= flock(fd, LOCK_SH | LOCK_NB) != 0;
      close(fd);
    }
    closedir(entries);
  }
  if (has_file) return !locked;
  // A launcher that is just starting has not made its file yet.
  struct stat status;
  constexpr time_t kStartingUp = 60;
  return stat(directory.c_str(), &status) == 0 && time(nullptr) - status.st_mtime > kStartingUp;
}

}  // namespace

void sweep_leftovers() {
  for (const char* place : kPlaces) {
    DIR* entries = opendir(place);
    if (entries == nullptr) continue;
    while (const dirent* entry = readdir(entries)) {
      if (strncmp(entry->d_name, kDirectoryPrefix, sizeof(kDirectoryPrefix) - 1) != 0) continue;
      std::string directory = std::string(place) + "/" + entry->d_name;
      struct stat status;
      if (lstat(directory.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
          status.st_uid == geteuid() && is_leftover(directory)) {
        remove_directory(directory);
      }
    }
    closedir(entries);
  }
}

std::variant<ArenaFile, std::string> ArenaFile::create(const ArenaOptions& options) {
  if (largest_allowed_size() == 0) {
    return "iotrace: the limit on the size of files or of address space is too small for the "
           "shared memory of the run: raise it (see 'ulimit -f' and 'ulimit -v')";
  }
  std::string reasons;
  for (const char* place : kPlaces) {
    ArenaFile arena;
    arena.directory_ = std::string(place) + "/" + kDirectoryPrefix + "XXXXXX";
    std::string failure = arena.make_directory();
    if (failure.empty()) failure = arena.make_file(options);
    if (failure.empty()) return arena;
    reasons += (reasons.empty() ? "" : "; ") + std::string(place) + ": " + failure;
  }
  return "iotrace: no room for the shared memory of the run (" + reasons +
         "): make one of the two writable, or free some space there";
}

std::string ArenaFile::make_directory() {
  if (mkdtemp(directory_.data()) == nullptr) {
    std::string failure = strerror(errno);
    directory_.clear();
    return failure;
  }
  // Others may pass through, to a name that they must have been told; only we may list it.
  if (chmod(directory_.c_str(), 0711) != 0) return strerror(errno);
  return "";
}

std::string ArenaFile::make_file(const ArenaOptions& options) {
  // Others take a file without a lock for a leftover, and pass over hidden ones: it appears locked.
  const std::string place = directory_ + "/" + hex(random_number());
  file_ = directory_ + "/.starting";
  fd_ = keep_above_stderr(open(file_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (fd_ < 0) return strerror(errno);
  // The program, or a part of it, may run as another user.
  if (fchmod(fd_, 0666) != 0 || flock(fd_, LOCK_EX | LOCK_NB) != 0 ||
      rename(file_.c_str(), place.c_str()) != 0) {
    return strerror(errno);
  }
  file_ = place;
  size_ = largest_allowed_size();
  if (ftruncate(fd_, static_cast<off_t>(size_)) != 0) return strerror(errno);
  // Asks for the pages that the launcher itself writes, so that a full file system is an error here
  // and no signal later.
  uint64_t needed = segment_offset(1) + sizeof(Announcement);
  for (auto [offset, size] : {std::pair{uint64_t{0}, kSlotsOffset + 4096},
                              {segment_offset(1), needed - segment_offset(1)}}) {
    if (posix_fallocate(fd_, static_cast<off_t>(offset), static_cast<off_t>(size)) != 0)
      return "no space left";
  }
  // A mapping keeps its open file description, and with it the lock, for as long as anybody has the
  // memory: the canary still does for a moment after a launcher that was killed. So it has its own.
  const int mapped = keep_above_stderr(open(file_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (mapped < 0) return strerror(errno);
  void* start = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, mapped, 0);
  const int map_error = errno;
  close(mapped);
  if (start == MAP_FAILED) return strerror(map_error);
  base_ = start;
  std::string link = directory_ + "/" + kLibraryName;
  if (symlink(options.library.c_str(), link.c_str()) != 0) return strerror(errno);
  fill_header(options);
  return "";
}

void ArenaFile::fill_header(const ArenaOptions& options) {
  ArenaHeader* arena = header();
  arena->version = kArenaVersion;
  arena->header_size = sizeof(ArenaHeader);
  arena->arena_size = size_;
  arena->nonce = random_number();
  arena->started_ns = monotonic_ns();
  arena->ns_per_tick_q32 = options.timing == Timing::off ? 0 : measured_ns_per_tick_q32();
  arena->timing = options.timing;
  arena->follow = options.follow;
  arena->next_slot = 1;
  arena->next_segment = 1;
  StreamTarget* streams = arena->streams;
  for (int i = 0; i < 2; ++i) describe_stream(i + 1, &streams[i]);
  bool shared = streams[0].open && streams[1].open && streams[0].dev == streams[1].dev &&
                streams[0].ino == streams[1].ino && streams[0].rdev == streams[1].rdev;
  for (int i = 0; i < 2; ++i) streams[i].by_origin = shared || streams[i].kind == TargetKind::null;
  arena->magic = kArenaMagic;
}

ArenaFile::ArenaFile(ArenaFile&& other) noexcept
    : directory_(std::exchange(other.directory_, "")),
      file_(std::exchange(other.file_, "")),
      fd_(std::exchange(other.fd_, -1)),
      base_(std::exchange(other.base_, nullptr)),
      size_(other.size_),
      keep_library_(other.keep_library_) {}

ArenaFile::~ArenaFile() {
  if (base_ != nullptr) munmap(base_, size_);
  if (keep_library_) {
    unlink(file_.c_str());
  } else if (!directory_.empty()) {
    remove_directory(directory_);
  }
  if (fd_ >= 0) close(fd_);
}

std::vector<std::string> ArenaFile::environment(bool preload) const {
  std::vector<std::string> result;
  const std::string prefix = std::string(kPreloadVariable) + "=";
  std::string old_preload;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    std::string text = *entry;
    if (text.starts_with(std::string(kArenaVariable) + "=") ||
        text.starts_with(std::string(kSlotVariable) + "=")) {
      continue;
    }
    if (text.starts_with(prefix)) {
      if (old_preload.empty()) old_preload = text.substr(prefix.size());
      continue;
    }
    result.push_back(text);
  }
  std::string value = preload_value(old_preload, preload ? directory_ + "/" + kLibraryName : "");
  if (!value.empty()) result.push_back(prefix + value);
  result.push_back(std::string(kArenaVariable) + "=" + file_ + ":" + hex(header()->nonce));
  result.push_back(std::string(kSlotVariable) + "=0");
  return result;
}

void ArenaFile::announce(const std::vector<std::string>& command, NotInstrumented expected_reason) {
  Ref ref = ref_of_offset(segment_offset(1));
  Announcement* announcement = at<Announcement>(base_, ref);
  announcement->in_use = 1;
  announcement->expected_reason = expected_reason;
  announcement->origins[1] = Origin::from_stdout;
  announcement->origins[2] = Origin::from_stderr;
  std::string text;
  for (const std::string& word : command) text += word + '\0';
  announcement->command_length =
      static_cast<uint32_t>(std::min(text.size(), sizeof(announcement->command)));
  announcement->command_truncated = text.size() > sizeof(announcement->command);
  memcpy(announcement->command, text.data(), announcement->command_length);
  Slot& slot = *slots_of(base_);
  slot.announcement = ref;
  set_state(slot, SlotState::announced);
}

void ArenaFile::set_first_pid(int pid) { slots_of(base_)->pid = pid; }

}  // namespace iotrace
