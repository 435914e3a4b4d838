// Signals during a run: which are passed on to the program, and how the launcher stops and
// continues with it. Launcher only, in its one thread.
//
// The program must get every signal once, as if iotrace were not there:
// - what the terminal sends (^C, ^Z, a new size) has reached the whole foreground group: not passed
// on;
// - what was sent to the launcher alone is passed on;
// - what was sent to the whole group, or to the launcher and then to the group as timeout(1) does,
// is not. The canary
//   knows; because the group's signal may come a moment after ours, the decision waits for kHoldNs;
// - what the program itself sent (kill(getppid(), ...)) never comes back to it;
// - what was ignored when iotrace was started stays ignored.
//
// All of them are blocked and taken with sigtimedwait, stop signals too: whether ^Z stops anything
// is for the program to decide. When it stops, the launcher stops itself, so that the shell sees a
// stopped job.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "launch_canary.h"

namespace iotrace {

int64_t monotonic_ns();

class SignalRelay {
 public:
  // Blocks the signals and gives SIGCHLD its default disposition, so that children can be waited
  // for.
  SignalRelay();
  // Discards the signals that are still pending (they were for a program that is gone) and restores
  // the mask.
  ~SignalRelay();
  SignalRelay(const SignalRelay&) = delete;
  SignalRelay& operator=(const SignalRelay&) = delete;

  // `forked_at_ns`: right before the fork. Signals of the group from before then have not reached
  // the program.
  void program_started(pid_t program, int64_t forked_at_ns);
  void program_ended();

  // Sleeps until a child changed its state, a signal came or `deadline_ns` has passed, and handles
  // the signals.
  void wait_until(int64_t deadline_ns);

  // The program was stopped by `stop_signal`: stop too, and return when continued.
  void stop_with_program(int stop_signal);

  // True once the launcher was told to end while no program was there to pass that on to.
  bool told_to_end() const { return told_to_end_; }

 private:
  struct Held {
    siginfo_t info;
    int64_t sent_after_ns;  // sightings by the canary from then on are of the same signal
    int64_t decide_at_ns;
  };

  void receive(const siginfo_t& info);
  void drop_held(std::initializer_list<int> numbers);
  void decide_held();
  void pass_on(const siginfo_t& info);

  sigset_t entry_mask_ = {};
  sigset_t taken_ = {};
  pid_t program_ = -1;  // -1: none to pass anything on to
  int64_t forked_at_ns_ = 0;
  int64_t stopped_at_ns_ = 0;  // when the program was last seen to have stopped
  int64_t last_look_ns_ = 0;   // when the launcher last asked for signals
  bool told_to_end_ = false;
  std::vector<Held> held_;  // in order of arrival
  Canary canary_;
};

}  // namespace iotrace
