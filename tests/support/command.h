// Runs a program the way a test wants it run, with each standard descriptor joined to what the test
// names, and says what came out. Under iotrace as well: then the JSON report is beside it.
//
//   Outcome outcome = Command({demo("printf_demo"),
//   "20"}).stdout_to(null_device()).traced().wait();
//   EXPECT_EQ(outcome.report["streams"]["stdout"]["calls"], 1);
//
// Any test. A Command is used once; what it started is killed when it goes out of scope without
// having been waited for.
#pragma once

#include <sys/types.h>

#include <functional>
#include <iosfwd>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.h"

namespace iotrace::test {

// What one of the descriptors 0, 1, 2 is joined to.
struct Channel {
  enum Kind {
    kInherit,
    kClosed,
    kFile,  // `path`, opened for reading as descriptor 0, else created or emptied
    kPipe,  // read by the test to its end; as descriptor 0: a pipe that holds `text` and then ends
    kNoReader,  // a pipe whose reader is gone
    kTerminal,  // a pseudo-terminal in raw mode that the test drains; one terminal serves all
                // descriptors of a Command
    kSame,      // what descriptor 1 is joined to, as by 2>&1
  };
  Kind kind = kInherit;
  std::string path;
  std::string text;
};

Channel closed();
Channel file(std::string path);
Channel null_device();
Channel full_device();
Channel pipe_to_test();
Channel pipe_with(std::string text);
Channel pipe_without_reader();
Channel terminal();
Channel same_as_stdout();

struct Outcome {
  std::optional<int> code;  // the exit code, if it exited
  int signal = 0;           // the signal that it died of, or 0
  std::string out;  // what reached the test through descriptor 1; the terminal's text is all here
  std::string err;  // and through descriptor 2
  nlohmann::json report;  // iotrace's JSON; null if the run was not traced or there is no report

  const nlohmann::json& stream(const std::string& name) const {
    return report.at("streams").at(name);
  }
};

std::ostream& operator<<(std::ostream& stream, const Outcome& outcome);

class Command {
 public:
  explicit Command(std::vector<std::string> argv);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Defaults: 0 is /dev/null, 1 and 2 are pipes to the test.
  Command& stdin_from(Channel channel);
  Command& stdout_to(Channel channel);
  Command& stderr_to(Channel channel);

  Command& env(const std::string& name, const std::string& value);
  Command& without_env(const std::string& name);
  Command& in_directory(const std::string& path);
  Command& as_nobody();     // only root may; see running_as_root()
  Command& in_own_group();  // a process group of its own, for send_to_group()
  Command&
  in_terminal_session();  // a session of its own whose controlling terminal is the pseudo-terminal
  // Something else to do in the child just before the program is executed.
  Command& in_child(std::function<void()> action);

  // Under `iotrace --quiet --export-json FILE options -- argv`, so that descriptor 2 carries the
  // program's words alone.
  Command& traced(std::vector<std::string> options = {});
  Command& traced_by(const std::string& iotrace, std::vector<std::string> options = {});

  Command& start();
  pid_t pid() const { return pid_; }
  void send(int signal) const;
  void send_to_group(int signal) const;
  void type(const std::string& text) const;  // into the pseudo-terminal
  // Reads until descriptor 1's text contains `text`; false if it ended without.
  bool wait_for_output(const std::string& text);

  Outcome wait();  // starts it if nobody has

 private:
  struct Reader {
    int fd = -1;
    std::string text;
  };

  int open_channel(const Channel& channel, int fd);
  int open_terminal();
  [[noreturn]] void execute(const int (&channels)[3]);
  bool read_some(Reader& reader);
  void pump(const std::function<bool()>& enough);
  void drain();

  std::vector<std::string> argv_;
  Channel channels_[3];
  std::vector<std::pair<std::string, std::optional<std::string>>> env_;
  std::string directory_;
  bool as_nobody_ = false;
  bool own_group_ = false;
  bool terminal_session_ = false;
  std::function<void()> in_child_;
  std::unique_ptr<TempDir> report_dir_;

  pid_t pid_ = -1;
  int pidfd_ = -1;
  int terminal_slave_ = -1;
  bool terminal_used_ = false;
  Reader readers_[2];  // descriptor 1 (and the terminal), descriptor 2
};

// The short forms for the runs that need nothing special.
Outcome run(std::vector<std::string> argv);
Outcome traced(std::vector<std::string> argv, std::vector<std::string> options = {});

bool running_as_root();

}  // namespace iotrace::test
