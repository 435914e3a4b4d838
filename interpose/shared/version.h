// By what the launcher recognises a library of its own version before it lets a program load it:
// this text stands in the library's file. Header-only, freestanding.
#pragma once

namespace iotrace {

// IOTRACE_VERSION comes from the build; it changes whenever anything in shared/ does.
inline constexpr char kLibraryMarker[] = "libiotrace.so of iotrace " IOTRACE_VERSION;

}  // namespace iotrace
