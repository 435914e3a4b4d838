// The arena from the launcher's side: creating it, removing it, sweeping what dead launchers left
// behind. Launcher only.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "interpose/shared/arena.h"

namespace iotrace {

struct ArenaOptions {
  Timing timing = Timing::sample;
  bool follow = true;
  std::string library;  // the installed file, which the arena's directory links to
};

// A directory in /dev/shm, else in /tmp, with the memory file and a link to the library; gone with
// the object. While it lives, the launcher holds a lock on the file: that is how others see that it
// is no leftover.
class ArenaFile {
 public:
  // The arena, or one line "iotrace: ..." that says what is wrong and what to do.
  static std::variant<ArenaFile, std::string> create(const ArenaOptions& options);

  ArenaFile(ArenaFile&& other) noexcept;
  ArenaFile& operator=(ArenaFile&&) = delete;
  ~ArenaFile();

  ArenaHeader* header() const { return static_cast<ArenaHeader*>(base_); }
  const void* base() const { return base_; }
  uint64_t size() const { return size_; }

  // The environment for the first program: ours with the arena's variables and, unless `preload` is
  // false, the library after every other LD_PRELOAD entry.
  std::vector<std::string> environment(bool preload) const;

  // Announces the first program in slot 0.
  void announce(const std::vector<std::string>& command, NotInstrumented expected_reason);
  // Descendants live on, and their loaders may yet look for the library and complain on their
  // stderr if it is gone: the directory stays, with the link alone, until the next run sweeps it.
  void keep_library() { keep_library_ = true; }

  // Whose process it will be.
  void set_first_pid(int pid);

 private:
  ArenaFile() = default;
  std::string make_directory();
  std::string make_file(const ArenaOptions& options);
  void fill_header(const ArenaOptions& options);

  std::string directory_;
  std::string file_;
  int fd_ = -1;
  void* base_ = nullptr;
  uint64_t size_ = 0;
  bool keep_library_ = false;
};

// Removes the directories of launchers of this user that are gone.
void sweep_leftovers();

}  // namespace iotrace
