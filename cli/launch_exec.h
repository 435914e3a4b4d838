// The child's half of a launch: from fork to exec. The launcher's half is in launch.cc.
#pragma once

namespace iotrace {

// What the child needs, all made before the fork.
struct ExecRequest {
  char* const* argv;
  char* const* environment;
  // The child's end of a close-on-exec socket pair. One byte from the launcher: go. An int from the
  // child: the errno of an exec that failed. End of file: executed.
  int launcher_fd;
};

// Waits for the launcher's word, then becomes the program, with the state that iotrace was given.
[[noreturn]] void execute_program(const ExecRequest& request);

}  // namespace iotrace
