// The texts of --help and --version, which main prints to stdout. Pure.
#pragma once

#include <string_view>

namespace iotrace {

std::string_view help_text();
std::string_view version_text();  // "iotrace 0.1.0"

}  // namespace iotrace
