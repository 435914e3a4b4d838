// The exit codes that are iotrace's own; every other code is the traced program's. Used by main and
// by the tests.
//
// 125, 126 and 127 are those of env, nice and timeout, so that scripts can treat iotrace like any
// other wrapper.
#pragma once

namespace iotrace {

inline constexpr int kExitGateFailed =
    121;  // a --fail-if holds although the program itself succeeded
inline constexpr int kExitOwnFailure =
    125;  // iotrace's own failure: bad option, cannot create the arena
inline constexpr int kExitCannotRun = 126;  // the program was found but cannot be run
inline constexpr int kExitNotFound = 127;   // the program was not found

}  // namespace iotrace
