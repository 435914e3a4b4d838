// The installed preload library. Launcher only.
#pragma once

#include <string>
#include <variant>

namespace iotrace {

struct LibraryFile {
  std::string path;
};

// The library beside this executable (bin/../lib), checked to be of this version; or one line
// "iotrace: ..." that says what is wrong and what to do.
std::variant<LibraryFile, std::string> find_library_file();

}  // namespace iotrace
