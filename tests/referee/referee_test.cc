// Runs the same command under strace and under iotrace, in two copies of the same directory with
// stdout and stderr in two files, and demands the same calls and bytes from both; and from each
// stream the bytes that are in its file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tests/referee/cases.h"
#include "tests/referee/strace_log.h"
#include "tests/support/command.h"

namespace iotrace::referee {

void PrintTo(const RefereeCase& referee_case, std::ostream* stream) {
  *stream << referee_case.name;
}

namespace {

namespace fs = std::filesystem;
using test::Command;
using test::Outcome;
using test::TempDir;

bool installed(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin");
  for (std::string directory; std::getline(path, directory, ':');) {
    directory.append("/").append(program);
    if (access(directory.c_str(), X_OK) == 0) return true;
  }
  return false;
}

// Why strace cannot be used here; empty if it can.
const std::string& strace_trouble() {
  static const std::string trouble = [] {
    if (!installed("strace")) return std::string("strace is not installed");
    const Outcome outcome = Command({"strace", "-f", "-o", "/dev/null", "true"}).wait();
    return outcome.code == 0 ? std::string() : "strace does not work here: " + outcome.err;
  }();
  return trouble;
}

struct Sides {
  std::vector<StraceCall> strace;
  Outcome strace_outcome, iotrace_outcome;
  std::string strace_text[2], iotrace_text[2];  // of stdout, of stderr
};

class Referee : public testing::TestWithParam<RefereeCase> {
 protected:
  void SetUp() override {
    const RefereeCase& the_case = GetParam();
    if (!strace_trouble().empty()) GTEST_SKIP() << strace_trouble();
    for (const std::string& program : {the_case.needs, the_case.command[0]}) {
      const bool made_by_prepare = program.starts_with("./");
      if (program.empty() || made_by_prepare || installed(program)) continue;
      GTEST_SKIP() << program << " is not installed";
    }
    fs::create_directory(dir_.file("prepared"));
    if (the_case.prepare.empty()) return;
    const Outcome outcome =
        Command({"/bin/sh", "-ec", the_case.prepare}).in_directory(dir_.file("prepared")).wait();
    ASSERT_EQ(outcome.code, 0) << outcome;
  }

  Sides run_both() {
    Sides sides;
    std::vector<std::string> argv = {"strace",         "-f", "--seccomp-bpf", "-y", "-o",
                                     dir_.file("log"), "-e", strace_filter()};
    argv.insert(argv.end(), GetParam().command.begin(), GetParam().command.end());
    Command strace(argv);
    sides.strace_outcome = run_in_copy(strace, sides.strace_text);
    sides.strace = parse_strace_log(test::read_file(dir_.file("log")));
    Command iotrace(GetParam().command);
    sides.iotrace_outcome = run_in_copy(iotrace.traced(), sides.iotrace_text);
    return sides;
  }

  const std::string& path(int stream) const { return stream_paths_[stream]; }

 private:
  // Both sides work in a directory of the same name: programs print it.
  Outcome run_in_copy(Command& command, std::string (&text)[2]) {
    const std::string work = dir_.file("work");
    fs::remove_all(work);
    fs::copy(dir_.file("prepared"), work, fs::copy_options::recursive);
    Outcome outcome = command.in_directory(work)
                          .env("HOME", work)
                          .env("TMPDIR", work)
                          .env("PATH", "/usr/bin:/bin")
                          .env("LC_ALL", "C")
                          .env("GIT_CONFIG_NOSYSTEM", "1")
                          .without_env("MAKEFLAGS")
                          .stdout_to(test::file(path(0)))
                          .stderr_to(test::file(path(1)))
                          .wait();
    for (int i = 0; i < 2; ++i) text[i] = test::read_file(path(i));
    return outcome;
  }

  TempDir dir_;
  // As strace prints them: no symbolic link in them.
  std::string stream_paths_[2] = {fs::canonical(dir_.path()) / "out",
                                  fs::canonical(dir_.path()) / "err"};
};

constexpr const char* kStreamNames[2] = {"stdout", "stderr"};

CallsByName names_in(const nlohmann::json& object) {
  return object.at("calls_by_name").get<CallsByName>();
}

CallsByName names_in_all_streams(const Outcome& outcome) {
  CallsByName sums;
  for (const char* name : {"stdout", "stderr", "other"}) {
    for (const auto& [call, count] : names_in(outcome.stream(name))) sums[call] += count;
  }
  return sums;
}

std::map<int, CallSum> descriptors_in(const nlohmann::json& report) {
  std::map<int, CallSum> sums;
  for (const nlohmann::json& process : report.at("processes")) {
    for (const nlohmann::json& descriptor : process.at("descriptors")) {
      CallSum& sum = sums[descriptor.at("fd").get<int>()];
      sum.calls += descriptor.at("calls").get<uint64_t>();
      sum.bytes += descriptor.at("bytes").get<uint64_t>();
    }
    // No program here has so many descriptors that busy ones are left out: what is, went nowhere.
    if (const uint64_t calls = process.at("descriptors_omitted").at("calls"); calls > 0) {
      sums[-1].calls += calls;
    }
  }
  return sums;
}

uint64_t total(const CallsByName& sums) {
  uint64_t calls = 0;
  for (const auto& [name, count] : sums) calls += count;
  return calls;
}

TEST_P(Referee, agrees) {
  const RefereeCase& the_case = GetParam();
  const Sides sides = run_both();
  const nlohmann::json& report = sides.iotrace_outcome.report;
  ASSERT_FALSE(report.is_null()) << sides.iotrace_outcome;
  EXPECT_EQ(sides.iotrace_outcome.code, sides.strace_outcome.code);
  EXPECT_EQ(sides.iotrace_outcome.signal, sides.strace_outcome.signal);
  EXPECT_GT(sides.strace.size(), 0u) << "a program without output proves nothing";
  const nlohmann::json& coverage = report.at("coverage");

  if (the_case.compare == Compare::kAudit) {
    EXPECT_EQ(coverage.at("complete"), false);
    EXPECT_EQ(total(names_in_all_streams(sides.iotrace_outcome)) +
                  coverage.at("unseen_calls").get<uint64_t>(),
              sides.strace.size());
    return;
  }

  // The one intended difference from the kernel's count: a restarted call is in it once for each
  // of its parts.
  const KernelRange kernel = kernel_range(sides.strace);
  EXPECT_LE(coverage.at("unseen_calls"), kernel.interruptions);
  if (coverage.at("unseen_calls") == 0 && kernel.at_least == kernel.at_most) {
    EXPECT_EQ(coverage.at("complete"), true) << coverage;
  } else if (coverage.at("complete") != true) {
    // Restarts, and failures that the kernel may have counted, cannot be told from calls that
    // nobody saw, and the report says so.
    EXPECT_EQ(coverage.at("complete"), nullptr) << coverage;
    EXPECT_NE(coverage.at("note"), nullptr) << coverage;
  }
  EXPECT_EQ(report.at("overflow").at("calls"), 0);
  for (int i = 0; i < 2; ++i) {
    SCOPED_TRACE(kStreamNames[i]);
    const nlohmann::json& stream = sides.iotrace_outcome.stream(kStreamNames[i]);
    EXPECT_EQ(names_in(stream), calls_by_name_to_path(sides.strace, path(i)));
    EXPECT_EQ(stream.at("bytes"), sides.iotrace_text[i].size());
  }
  if (the_case.compare == Compare::kStreams) return;

  EXPECT_EQ(names_in_all_streams(sides.iotrace_outcome), calls_by_name(sides.strace));
  EXPECT_EQ(descriptors_in(report), sums_by_descriptor(sides.strace));
  for (const char* field : {"kernel_calls", "counted_calls"}) {
    EXPECT_GE(coverage.at(field), kernel.at_least) << field;
    EXPECT_LE(coverage.at(field), kernel.at_most) << field;
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(sides.iotrace_text[i] == sides.strace_text[i])
        << "the program wrote something else to " << kStreamNames[i] << ": "
        << sides.iotrace_text[i].substr(0, 500);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Referee, testing::ValuesIn(referee_cases()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace iotrace::referee
