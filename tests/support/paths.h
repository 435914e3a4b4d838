// Where the build put what the tests run. The places are fixed by CMake, so that a test never
// depends on the directory or the environment that it is started in. Any test.
#pragma once

#include <string>

namespace iotrace::test {

std::string iotrace_binary();                 // bin/iotrace
std::string iotrace_library();                // lib/libiotrace.so
std::string victim(const std::string& name);  // a program of tests/victims
std::string demo(const std::string& name);    // a program of demos/
std::string source_file(
    const std::string& path);  // a file of the source tree, by its path from the root

// Copies launcher and library into bin/ and lib/ of a folder, as an installation has them, where
// another user may run them and a test may damage them. Returns the launcher's path.
std::string install_copy(const std::string& folder);

}  // namespace iotrace::test
