// Announcing an exec in the arena: the slot that the program will find, and what it inherits.
// Before every exec, in the children of fork and vfork as well.
#pragma once

#include "interpose/exec_environment.h"
#include "interpose/program_file.h"

namespace iotrace {

// nullptr when there is no room.
Announcement* announce(const ExecRequest& request, const ProgramFile& file);

// The exec failed: block and slot can serve again.
void withdraw_announcement(Announcement* announcement);

}  // namespace iotrace
