// iotrace: runs a program and reports what its stdout and stderr did. The outline; everything else
// is in the library.

#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/arena_file.h"
#include "cli/collect.h"
#include "cli/exit_status.h"
#include "cli/help.h"
#include "cli/kernel_count.h"
#include "cli/launch.h"
#include "cli/library_file.h"
#include "cli/options.h"
#include "cli/program_file.h"
#include "cli/reports.h"
#include "cli/tick_rate.h"

namespace iotrace {
namespace {

// The first program's process is known to the arena as soon as there is one.
class RunObserver : public KernelCount {
 public:
  explicit RunObserver(ArenaFile* arena)
      : KernelCount(arena->base(), arena->size()), arena_(arena) {}
  void child_created(pid_t child) override {
    arena_->set_first_pid(child);
    KernelCount::child_created(child);
  }

 private:
  ArenaFile* arena_;
};

int fail(const std::string& message, int code = kExitOwnFailure) {
  write_to_stderr(message + "\n");
  return code;
}

int print(std::string_view text) {
  size_t written = fwrite(text.data(), 1, text.size(), stdout);
  if (written != text.size() || fflush(stdout) != 0) return fail("iotrace: cannot write to stdout");
  return 0;
}

std::string now_in_utc() {
  time_t now = time(nullptr);
  tm parts;
  char text[32];
  strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  return text;
}

int trace(const Options& options) {
  auto library = find_library_file();
  if (auto* error = std::get_if<std::string>(&library)) return fail(*error);
  auto reports = Reports::prepare(options);
  if (auto* error = std::get_if<std::string>(&reports)) return fail(*error);
  sweep_leftovers();
  auto created =
      ArenaFile::create({options.timing, options.follow, std::get<LibraryFile>(library).path});
  if (auto* error = std::get_if<std::string>(&created)) return fail(*error);
  ArenaFile& arena = std::get<ArenaFile>(created);

  const std::string& program = options.command.front();
  ProgramFile file = inspect_first_program(program);
  arena.announce(options.command, file.reason);
  RunObserver observer(&arena);
  RunFacts facts{options.command, now_in_utc(), {}};
  facts.result =
      run({options.command, arena.environment(file.can_preload), options.wait_all}, observer);
  if (facts.result.launch_errno != 0) {
    return fail(std::string("iotrace: cannot make a process: ") +
                strerror(facts.result.launch_errno));
  }
  if (facts.result.exec_errno != 0) {
    return fail("iotrace: " + exec_failure_message(program, facts.result.exec_errno),
                exec_failure_exit_code(program, facts.result.exec_errno));
  }

  Report report;
  {
    Snapshot snapshot = take_snapshot(arena.base(), arena.size());
    AuditInput input{observer.reaped(), KernelCount::living_children(), options.follow,
                     process_is_running};
    Audit result = audit(snapshot, input);
    if (!input.living.empty() || !result.running.empty()) arena.keep_library();
    report = collect(facts, snapshot, std::move(result));
  }
  { ArenaFile ended = std::move(arena); }
  if (auto error = std::get<Reports>(reports).write(report)) return fail(*error);
  die_like(facts.result);
}

}  // namespace
}  // namespace iotrace

int main(int argc, char** argv) {
  using namespace iotrace;
  remember_inherited_state();
  start_measuring_ticks();
  auto parsed = parse_options(argc, argv);
  if (auto* error = std::get_if<std::string>(&parsed)) return fail(*error);
  const Options& options = std::get<Options>(parsed);
  switch (options.action) {
    case Action::kHelp:
      return print(help_text());
    case Action::kVersion:
      return print(version_text());
    case Action::kRun:
      return trace(options);
  }
}
