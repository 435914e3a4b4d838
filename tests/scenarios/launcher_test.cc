// Scenarios: the launcher as a command: exit statuses, messages, where the report goes.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>

#include "tests/support/command.h"
#include "tests/support/json_match.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

// iotrace itself, with nothing added to its arguments.
std::vector<std::string> iotrace(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), iotrace_binary());
  return arguments;
}

long lines_in(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Launcher, the_exit_code_is_the_programs) {
  for (int code : {0, 1, 7, 121, 125, 127, 255}) {
    Outcome outcome = traced({"sh", "-c", "exit " + std::to_string(code)});
    EXPECT_EQ(outcome.code, code) << outcome;
    EXPECT_EQ(outcome.report.at("exit").at("code"), code);
  }
}

TEST(Launcher, the_program_s_death_is_its_own) {
  for (int signal : {SIGTERM, SIGKILL, SIGABRT, SIGSEGV, SIGHUP, SIGUSR1}) {
    Outcome outcome = traced({"sh", "-c", "kill -" + std::to_string(signal) + " $$"});
    EXPECT_EQ(outcome.signal, signal) << outcome;
    EXPECT_EQ(outcome.report.at("exit").at("code"), nullptr);
    EXPECT_EQ(outcome.report.at("exit").at("signal"), "SIG" + std::string(sigabbrev_np(signal)));
  }
}

TEST(Launcher, a_program_that_is_not_there) {
  Outcome outcome = run(iotrace({"--", "/no/such/program"}));
  EXPECT_EQ(outcome.code, 127) << outcome;
  EXPECT_EQ(lines_in(outcome.err), 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "/no/such/program"));
  // A folder of the PATH that may not be searched would make it "cannot be run".
  Command searched(iotrace({"no-such-program"}));
  EXPECT_EQ(searched.env("PATH", "/usr/bin:/bin").wait().code, 127);
}

TEST(Launcher, a_program_that_cannot_be_run) {
  TempDir dir;
  write_file(dir.file("text"), "no program\n");
  for (const std::string& path : {dir.path(), dir.file("text")}) {
    Outcome outcome = run(iotrace({path}));
    EXPECT_EQ(outcome.code, 126) << outcome;
    EXPECT_EQ(lines_in(outcome.err), 1) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, path));
  }
}

TEST(Launcher, a_script_without_interpreter_line_is_run_by_the_shell) {
  TempDir dir;
  write_file(dir.file("script"), "echo from a script\n");
  chmod(dir.file("script").c_str(), 0755);
  Outcome outcome = traced({dir.file("script")});
  EXPECT_EQ(outcome.code, 0) << outcome;
  EXPECT_EQ(outcome.out, "from a script\n");
}

TEST(Launcher, options_that_do_not_exist) {
  for (const char* option : {"--no-such-option", "--format=nonsense", "--timing=never"}) {
    Outcome outcome = run(iotrace({option, "echo", "started"}));
    EXPECT_EQ(outcome.code, 125) << outcome;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err, "");
  }
  EXPECT_EQ(run(iotrace({})).code, 125);
}

TEST(Launcher, options_end_at_the_first_word_and_belong_to_the_program_then) {
  EXPECT_EQ(traced({"echo", "--quiet", "-o", "x"}).out, "--quiet -o x\n");
}

TEST(Launcher, help_and_version_go_to_stdout) {
  for (const char* option : {"--help", "--version"}) {
    Outcome outcome = run(iotrace({option}));
    EXPECT_EQ(outcome.code, 0) << outcome;
    EXPECT_TRUE(contains(outcome.out, "iotrace"));
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(Launcher, the_table_goes_to_stderr_after_the_programs_own_words) {
  Outcome outcome = run(iotrace({"sh", "-c", "echo out; echo error >&2"}));
  EXPECT_EQ(outcome.out, "out\n");
  EXPECT_EQ(outcome.err.rfind("error\n", 0), 0u) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "coverage"));
}

TEST(Launcher, json_and_a_file_for_it) {
  TempDir dir;
  Outcome outcome = run(iotrace({"--json", "-o", dir.file("report"), "echo", "out"}));
  EXPECT_EQ(outcome.err, "");
  const auto report = nlohmann::json::parse(read_file(dir.file("report")));
  EXPECT_TRUE(matches(report, R"({"schema": "iotrace-report/1", "command": ["echo", "out"],
                                  "streams": {"stdout": {"calls": 1, "bytes": 4}}})"));
}

TEST(Launcher, the_process_id_in_a_file_name) {
  TempDir dir;
  Command command(iotrace({"--json", "-o", dir.file("report.%p"), "true"}));
  command.start();
  const std::string expected = dir.file("report." + std::to_string(command.pid()));
  EXPECT_EQ(command.wait().code, 0);
  EXPECT_TRUE(file_exists(expected));
}

TEST(Launcher, a_report_file_that_cannot_be_made_stops_everything) {
  Outcome outcome = run(iotrace({"-o", "/no/such/folder/report", "echo", "started"}));
  EXPECT_EQ(outcome.code, 125) << outcome;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "/no/such/folder/report"));
}

TEST(Launcher, a_report_that_does_not_fit_is_told) {
  Outcome outcome = run(iotrace({"-o", "/dev/full", "echo", "started"}));
  EXPECT_EQ(outcome.out, "started\n");
  EXPECT_TRUE(contains(outcome.err, "/dev/full")) << outcome;
  EXPECT_EQ(outcome.code, 125);
}

TEST(Launcher, an_old_report_survives_a_program_that_cannot_be_started) {
  TempDir dir;
  write_file(dir.file("report"), "the old one\n");
  Outcome outcome = run(iotrace({"-o", dir.file("report"), "/no/such/program"}));
  EXPECT_EQ(outcome.code, 127) << outcome;
  EXPECT_EQ(read_file(dir.file("report")), "the old one\n");
}

TEST(Launcher, a_reader_of_stderr_that_is_gone_does_no_harm) {
  Command command(iotrace({"sh", "-c", "echo out; exit 3"}));
  Outcome outcome = command.stderr_to(pipe_without_reader()).wait();
  EXPECT_EQ(outcome.code, 3) << outcome;
  EXPECT_EQ(outcome.out, "out\n");
}

TEST(Launcher, standard_descriptors_that_are_closed_do_no_harm) {
  for (int mask = 1; mask < 8; ++mask) {
    TempDir dir;
    Command command(iotrace({"--json", "-o", dir.file("report"), "sh", "-c", "exit 3"}));
    if (mask & 1) command.stdin_from(closed());
    if (mask & 2) command.stdout_to(closed());
    if (mask & 4) command.stderr_to(closed());
    EXPECT_EQ(command.wait().code, 3) << mask;
    EXPECT_TRUE(nlohmann::json::parse(read_file(dir.file("report"))).is_object());
  }
}

}  // namespace
}  // namespace iotrace::test
