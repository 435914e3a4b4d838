#include "cli/library_file.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "cli/launch.h"
#include "interpose/shared/environment.h"
#include "interpose/shared/version.h"

namespace iotrace {
namespace {

std::string own_directory() {
  std::string path(PATH_MAX, '\0');
  ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length > 0 ? static_cast<size_t>(length) : 0);
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string parent_of(const std::string& directory) {
  size_t slash = directory.rfind('/');
  return slash == std::string::npos || slash == 0 ? "" : directory.substr(0, slash);
}

// In a build tree, and as it was installed.
std::vector<std::string> possible_places() {
  const std::string directory = own_directory();
  const std::string beside = parent_of(directory) + "/lib/" + kLibraryName;
  const std::string installed =
      std::filesystem::path(directory + "/" IOTRACE_INSTALLED_LIBDIR "/" + kLibraryName)
          .lexically_normal();
  if (installed == beside) return {beside};
  return {beside, installed};
}

// Linkers put notes, and so the marker, right behind the headers.
std::string read_beginning(int fd) {
  std::string text(4096, '\0');
  ssize_t size = read(fd, text.data(), text.size());
  text.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return text;
}

}  // namespace

std::variant<LibraryFile, std::string> find_library_file() {
  std::string path;
  int fd = -1;
  for (const std::string& place : possible_places()) {
    path = place;
    fd = keep_above_stderr(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd >= 0 || errno != ENOENT) break;
  }
  if (fd < 0) {
    return "iotrace: cannot open its library '" + path + "': " + strerror(errno) +
           " (install iotrace again, or build it)";
  }
  std::string text = read_beginning(fd);
  close(fd);
  if (text.find(kLibraryMarker, 0, sizeof(kLibraryMarker)) == std::string::npos) {
    return "iotrace: '" + path +
           "' is not the library of iotrace " IOTRACE_VERSION
           " (install iotrace again, or build it)";
  }
  return LibraryFile{path};
}

}  // namespace iotrace
