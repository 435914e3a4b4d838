// Starting the program and being a good parent to it: signals, job control, waiting, the clock.
// Launcher only.
//
// What the program inherits is what iotrace was given: signal mask, dispositions, descriptors,
// process group, terminal. The launcher becomes a child subreaper, so that the descendants that
// outlive their parents come to it, and shows every child to the observer while it is a zombie,
// before it is reaped: then /proc/PID still says what the kernel counted.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace iotrace {

struct LaunchRequest {
  std::vector<std::string> command;      // argv; command[0] is searched for in PATH as execvp does
  std::vector<std::string> environment;  // the program's whole environment, "NAME=value"
  bool wait_all = false;                 // also wait for the descendants that outlive the program
};

// What the rest of the launcher does at the moments that only the launch knows.
class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  // The child exists and waits for this call to return before it executes the program.
  virtual void child_created(pid_t child) = 0;
  // `pid` (the program, or a descendant that was orphaned) has ended and is about to be reaped;
  // `info` is what waitid said of it. /proc/PID is still there.
  virtual void about_to_reap(pid_t pid, const siginfo_t& info) = 0;
  // Called now and then (about every 50 ms) while the run goes on, and once more right before it is
  // over.
  virtual void tick() = 0;
};

struct LaunchResult {
  int exec_errno = 0;    // not 0: the program could not be executed, and nothing below counts
  int launch_errno = 0;  // not 0: no process could be made at all
  pid_t pid = -1;
  bool signaled = false;
  int code = 0;  // exit code, or the signal's number if `signaled`
  bool core_dumped = false;
  double real_s = 0;  // from the start of the program to its end
  double user_s = 0;  // the program and the descendants that it waited for
  double sys_s = 0;
  uint64_t max_rss_bytes = 0;  // of the largest single process
};

// Runs the program to its end. Signals that arrive meanwhile are passed on as launch_signals.h
// says. When it returns, the caller's signal mask is as it was on entry to run(), and deadly
// signals act on the launcher again; SIGCHLD is left at its default, and the launcher remains a
// subreaper. An observer may thus be shown descendants of an earlier run that have outlived it. A
// program that could not be executed is shown to `child_created` alone.
LaunchResult run(const LaunchRequest& request, LaunchObserver& observer);

// The exit status that shells give a program that could not be executed: 127 when there is no such
// file, 126 otherwise. A file that is there although the system says ENOENT (its interpreter is
// missing) is the second case.
int exec_failure_exit_code(const std::string& program, int error);

// One line without a newline that says what is wrong and what to do about it.
std::string exec_failure_message(const std::string& program, int error);

// Remembers which of descriptors 0, 1, 2 are open, the signal mask and which signals are ignored;
// must be the first thing that main does. run() restores all of it in the child, whatever the
// launcher changed for itself in between.
void remember_inherited_state();

// True if descriptor `fd` (0, 1 or 2) was open when remember_inherited_state ran.
bool inherited_open(int fd);

// Moves a descriptor that the launcher opened above 2 and makes it close-on-exec: numbers 0-2 that
// were closed on entry must stay closed for the program. Returns the new number, or -1 with errno
// (the old one is closed in any case).
int keep_above_stderr(int fd);

// Ends the launcher as the program ended: exits with its code, or dies of the same signal without a
// core dump of its own. Nothing is flushed: output that matters has been flushed, and its errors
// seen, before.
[[noreturn]] void die_like(const LaunchResult& result);

}  // namespace iotrace
