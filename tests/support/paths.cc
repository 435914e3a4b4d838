// The places that CMake compiled in; see paths.h.
#include "tests/support/paths.h"

#include <filesystem>

namespace iotrace::test {

std::string iotrace_binary() { return IOTRACE_TEST_BUILD_DIR "/bin/iotrace"; }

std::string iotrace_library() { return IOTRACE_TEST_BUILD_DIR "/lib/libiotrace.so"; }

std::string victim(const std::string& name) {
  return IOTRACE_TEST_BUILD_DIR "/tests/victims/bin/" + name;
}

std::string demo(const std::string& name) { return IOTRACE_TEST_BUILD_DIR "/demos/" + name; }

std::string source_file(const std::string& path) { return IOTRACE_TEST_SOURCE_DIR "/" + path; }

std::string install_copy(const std::string& folder) {
  std::filesystem::create_directories(folder + "/bin");
  std::filesystem::create_directories(folder + "/lib");
  std::filesystem::copy_file(iotrace_binary(), folder + "/bin/iotrace");
  std::filesystem::copy_file(iotrace_library(), folder + "/lib/libiotrace.so");
  return folder + "/bin/iotrace";
}

}  // namespace iotrace::test
