// What iotrace was given by the process that started it, for the parts of the launch that need it.
// The functions that the rest of the launcher uses (remember_inherited_state, inherited_open,
// keep_above_stderr) are in launch.h.
#pragma once

namespace iotrace {

// True if the signal was ignored when remember_inherited_state ran, as SIGHUP is under nohup.
bool inherited_ignored(int signal_number);

// Gives the calling process the descriptors, dispositions and signal mask of that moment. For the
// child, right before it executes the program; async-signal-safe.
void restore_inherited_state();

}  // namespace iotrace
