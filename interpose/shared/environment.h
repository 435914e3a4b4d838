// The environment variables by which the launcher, the library and an executed program find each
// other. Header-only, freestanding: used by the library (constructor, exec wrappers) and by the
// launcher.
#pragma once

namespace iotrace {

// "PATH:NONCE": the arena's memory file and, in 16 hexadecimal digits, the nonce that its header
// must carry.
inline constexpr char kArenaVariable[] = "IOTRACE_ARENA";
// The slot, in decimal, that whoever executed this program announced it in.
inline constexpr char kSlotVariable[] = "IOTRACE_SLOT";
inline constexpr char kPreloadVariable[] = "LD_PRELOAD";

// The library's name inside the arena's directory, where it is a symbolic link to the installed
// file.
inline constexpr char kLibraryName[] = "libiotrace.so";
// The arena's directory is named "iotrace." and six characters of mkdtemp; this is how it is
// recognised.
inline constexpr char kDirectoryPrefix[] = "iotrace.";

}  // namespace iotrace
