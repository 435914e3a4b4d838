// Scenarios: a traced program does what it does untraced. Each command runs twice, without and with
// iotrace, and what came out, how it ended and what it said about errno, descriptors and return
// values must be the same.
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

struct Case {
  const char* name;
  std::vector<std::string> argv;
};

std::ostream& operator<<(std::ostream& stream, const Case& a_case) { return stream << a_case.name; }

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"errno_of_ebadf", {victim("bad_calls"), "ebadf"}},
      {"errno_of_epipe", {victim("bad_calls"), "epipe"}},
      {"errno_of_eagain_and_a_short_write", {victim("bad_calls"), "eagain"}},
      {"errno_of_enospc", {victim("bad_calls"), "enospc"}},
      {"errno_of_efault", {victim("bad_calls"), "efault"}},
      {"bad_pointers_that_nobody_reads", {victim("bad_calls"), "unread"}},
      {"errno_at_start_and_after_success", {victim("errno_kept")}},
      {"first_descriptor_and_the_list_of_all", {victim("first_descriptor")}},
      {"list_of_descriptors", {"ls", "/proc/self/fd"}},
      {"yes_ends_with_its_reader", {"sh", "-c", "yes | head -1; echo $?"}},
      {"death_of_sigpipe", {"bash", "-c", "yes | head -1; echo ${PIPESTATUS[*]}"}},
      {"cancelled_in_write", {victim("cancelled_write"), "write"}},
      {"cancelled_in_fwrite", {victim("cancelled_write"), "fwrite"}},
      {"destructors_at_cancellation", {victim("cancelled_destructor")}},
      {"handler_on_alternate_stack", {victim("alternate_stack")}},
      {"stacks_of_16_kib", {victim("small_stacks")}},
      {"all_descriptors_closed_first",
       {"sh", "-c",
        "d=$(mktemp -d) && '" + victim("close_everything") +
            "' $d/f; echo $?; cat $d/f; rm -r $d"}},
      {"every_output_call", {victim("output_calls"), victim("output_calls"), "raw"}},
      {"exit_flush", {victim("exit_flush")}},
      {"stdio_and_raw_writes", {victim("stdio_moves"), "mixed"}},
      {"lost_by__exit", {victim("stdio_moves"), "_exit"}},
      {"lost_by_abort", {victim("stdio_moves"), "abort"}},
      {"killed", {victim("stdio_moves"), "sigkill"}},
      {"crashed", {victim("stdio_moves"), "crash"}},
      {"fork_with_a_full_buffer", {victim("stdio_moves"), "fork"}},
      {"cplusplus_streams", {victim("iostreams")}},
      {"static_program", {victim("static_writer")}},
      {"program_without_libc", {victim("no_libc_writer")}},
      {"inline_system_calls", {victim("inline_calls"), "5"}},
      {"signal_mask_and_dispositions", {"grep", "^Sig[BIC]", "/proc/self/status"}},
      {"refused_arguments", {demo("printf_demo"), "-1"}},
      {"shell_with_everything",
       {"sh", "-c", "trap 'echo bye' EXIT; (echo sub; exit 3); echo $?; ls /nowhere; exit 5"}},
  };
  return kCases;
}

class Unchanged : public testing::TestWithParam<Case> {
 protected:
  // Both ways, with the standard descriptors joined as `prepare` says.
  static void expect_the_same(const std::function<void(Command&)>& prepare) {
    TempDir dir;
    Command plain(GetParam().argv), traced(GetParam().argv);
    prepare(plain);
    prepare(traced);
    Outcome expected = plain.in_directory(dir.path()).wait();
    Outcome actual = traced.in_directory(dir.path()).traced().wait();
    EXPECT_EQ(actual.code, expected.code) << actual;
    EXPECT_EQ(actual.signal, expected.signal);
    EXPECT_EQ(actual.out, expected.out);
    EXPECT_EQ(actual.err, expected.err);
    EXPECT_TRUE(actual.report.is_object());
  }
};

TEST_P(Unchanged, with_pipes) {
  expect_the_same([](Command&) {});
}

TEST_P(Unchanged, on_a_terminal) {
  expect_the_same([](Command& command) {
    command.stdin_from(terminal()).stdout_to(terminal()).stderr_to(terminal());
  });
}

TEST_P(Unchanged, with_stdout_closed) {
  expect_the_same([](Command& command) { command.stdout_to(closed()); });
}

INSTANTIATE_TEST_SUITE_P(Programs, Unchanged, testing::ValuesIn(cases()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(UnchangedDescriptors, whichever_are_closed_at_the_start) {
  for (int mask = 0; mask < 8; ++mask) {
    Outcome outcomes[2];
    for (bool under_iotrace : {false, true}) {
      TempDir dir;
      // The listing goes to a file of its own, since descriptor 1 may be closed.
      Command command({"sh", "-c", "ls /proc/$$/fd >list 2>&1"});
      command.in_directory(dir.path());
      if (mask & 1) command.stdin_from(closed());
      if (mask & 2) command.stdout_to(closed());
      if (mask & 4) command.stderr_to(closed());
      if (under_iotrace) command.traced();
      outcomes[under_iotrace] = command.wait();
      outcomes[under_iotrace].out = read_file(dir.file("list"));
    }
    EXPECT_EQ(outcomes[1].out, outcomes[0].out) << "closed: " << mask;
    EXPECT_EQ(outcomes[1].code, outcomes[0].code);
  }
}

}  // namespace
}  // namespace iotrace::test
