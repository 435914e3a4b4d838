// One run of a program, from fork to the last zombie: see launch.h. Launcher only, in its one
// thread.
//
// How the pieces fit: launch_state remembers and restores what was inherited, launch_exec is the
// child's side, launch_signals decides about signals and stops, launch_canary helps it. Here are
// the order of events, the wait loop and the launcher's own end.
#include "launch.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch_exec.h"
#include "launch_signals.h"

namespace iotrace {
namespace {

constexpr int64_t kTickNs = 50'000'000;
constexpr int kExitSignalBase = 128;  // what shells report for a program that died of a signal

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Two connected close-on-exec descriptors above 2. Returns 0 or an errno.
int make_socket_pair(int (&ends)[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  int error = 0;
  for (int& end : ends) {
    end = keep_above_stderr(end);
    if (end < 0) error = errno;
  }
  if (error == 0) return 0;
  for (const int end : ends) {
    if (end >= 0) close(end);
  }
  return error;
}

class Launch {
 public:
  explicit Launch(LaunchObserver& observer) : observer_(observer) {}
  LaunchResult run(const LaunchRequest& request);

 private:
  int start(const LaunchRequest& request);
  void wait(bool wait_all);
  bool reap_ended_children();
  bool reap_failed_exec();
  void reap_program();
  void follow_stops();
  bool program_ended() const { return real_ns_ >= 0; }

  LaunchObserver& observer_;
  LaunchResult result_;
  SignalRelay relay_;  // before the socket: the canary is to hold no copy of it
  int child_fd_ = -1;  // our end of the socket pair that launch_exec.h describes
  int64_t started_ns_ = 0;
  int64_t real_ns_ = -1;  // -1: has not ended
};

LaunchResult Launch::run(const LaunchRequest& request) {
  result_.launch_errno = start(request);
  if (result_.launch_errno == 0) wait(request.wait_all);
  if (child_fd_ >= 0) close(child_fd_);
  return result_;
}

// Returns 0 or an errno.
int Launch::start(const LaunchRequest& request) {
  if (request.command.empty()) return EINVAL;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const std::vector<char*> argv = pointers_to(request.command);
  const std::vector<char*> environment = pointers_to(request.environment);
  int ends[2];
  if (const int error = make_socket_pair(ends)) return error;

  const int64_t forked_at_ns = monotonic_ns();
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    execute_program({argv.data(), environment.data(), ends[1]});
  }
  const int error = errno;
  close(ends[1]);
  child_fd_ = ends[0];
  if (pid < 0) return error;

  result_.pid = pid;
  relay_.program_started(pid, forked_at_ns);
  observer_.child_created(pid);
  started_ns_ = monotonic_ns();
  send(child_fd_, "", 1, MSG_NOSIGNAL);
  return 0;
}

void Launch::wait(bool wait_all) {
  int64_t next_tick_ns = started_ns_ + kTickNs;
  bool children_left = true;
  while (!program_ended() || (wait_all && children_left && !relay_.told_to_end())) {
    relay_.wait_until(next_tick_ns);
    // Every time, not only after SIGCHLD: one signal may stand for many children.
    children_left = reap_ended_children();
    if (result_.exec_errno != 0) return;
    if (!program_ended()) follow_stops();
    if (monotonic_ns() >= next_tick_ns) {
      observer_.tick();
      next_tick_ns = monotonic_ns() + kTickNs;
    }
  }
  observer_.tick();
}

// Returns whether children are left.
bool Launch::reap_ended_children() {
  for (;;) {
    siginfo_t info = {};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno != ECHILD;
    if (info.si_pid == 0) return true;
    const bool is_program = info.si_pid == result_.pid && !program_ended();
    if (is_program) {
      real_ns_ = monotonic_ns() - started_ns_;
      relay_.program_ended();
      if (reap_failed_exec()) return false;
    }
    observer_.about_to_reap(info.si_pid, info);
    if (is_program) {
      reap_program();
    } else {
      waitpid(info.si_pid, nullptr, 0);
    }
  }
}

// The end of the child: had it become the program? If not, it is reaped here, and true is returned.
bool Launch::reap_failed_exec() {
  int error = 0;
  const ssize_t bytes = recv(child_fd_, &error, sizeof error, MSG_DONTWAIT);
  if (bytes != static_cast<ssize_t>(sizeof error)) return false;
  waitpid(result_.pid, nullptr, 0);
  result_.exec_errno = error;
  return true;
}

void Launch::reap_program() {
  int status = 0;
  rusage usage = {};
  wait4(result_.pid, &status, 0, &usage);
  result_.signaled = WIFSIGNALED(status);
  result_.code = result_.signaled ? WTERMSIG(status) : WEXITSTATUS(status);
  result_.core_dumped = result_.signaled && WCOREDUMP(status);
  result_.real_s = static_cast<double>(real_ns_) / 1e9;
  result_.user_s = seconds(usage.ru_utime);
  result_.sys_s = seconds(usage.ru_stime);
  result_.max_rss_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

void Launch::follow_stops() {
  siginfo_t info = {};
  if (waitid(P_PID, static_cast<id_t>(result_.pid), &info, WSTOPPED | WNOHANG) != 0) return;
  if (info.si_pid != 0 && info.si_code == CLD_STOPPED) relay_.stop_with_program(info.si_status);
}

}  // namespace

LaunchResult run(const LaunchRequest& request, LaunchObserver& observer) {
  return Launch(observer).run(request);
}

void die_like(const LaunchResult& result) {
  // Not exit(): the report has been written and checked by now, and destructors could only go
  // wrong.
  if (!result.signaled) _exit(result.code);

  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_DUMPABLE, 0);  // a core_pattern that names a program disregards the limit
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(result.code, &action, nullptr);
  sigset_t only_this;
  sigemptyset(&only_this);
  sigaddset(&only_this, result.code);
  sigprocmask(SIG_UNBLOCK, &only_this, nullptr);
  raise(result.code);
  // The first process of a container is spared by its own signals.
  _exit(kExitSignalBase + result.code);
}

}  // namespace iotrace
