// The words in which a test says how a program is to be run; see command.h. The running itself is
// in run.cc.
#include <unistd.h>

#include <ostream>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace iotrace::test {

Channel closed() { return {Channel::kClosed, {}, {}}; }
Channel file(std::string path) { return {Channel::kFile, std::move(path), {}}; }
Channel null_device() { return file("/dev/null"); }
Channel full_device() { return file("/dev/full"); }
Channel pipe_to_test() { return {Channel::kPipe, {}, {}}; }
Channel pipe_with(std::string text) { return {Channel::kPipe, {}, std::move(text)}; }
Channel pipe_without_reader() { return {Channel::kNoReader, {}, {}}; }
Channel terminal() { return {Channel::kTerminal, {}, {}}; }
Channel same_as_stdout() { return {Channel::kSame, {}, {}}; }

Command& Command::stdin_from(Channel channel) {
  channels_[0] = std::move(channel);
  return *this;
}

Command& Command::stdout_to(Channel channel) {
  channels_[1] = std::move(channel);
  return *this;
}

Command& Command::stderr_to(Channel channel) {
  channels_[2] = std::move(channel);
  return *this;
}

Command& Command::env(const std::string& name, const std::string& value) {
  env_.emplace_back(name, value);
  return *this;
}

Command& Command::without_env(const std::string& name) {
  env_.emplace_back(name, std::nullopt);
  return *this;
}

Command& Command::in_directory(const std::string& path) {
  directory_ = path;
  return *this;
}

Command& Command::as_nobody() {
  as_nobody_ = true;
  return *this;
}

Command& Command::in_own_group() {
  own_group_ = true;
  return *this;
}

Command& Command::in_terminal_session() {
  terminal_session_ = true;
  return *this;
}

Command& Command::in_child(std::function<void()> action) {
  in_child_ = std::move(action);
  return *this;
}

Command& Command::traced(std::vector<std::string> options) {
  return traced_by(iotrace_binary(), std::move(options));
}

Command& Command::traced_by(const std::string& iotrace, std::vector<std::string> options) {
  report_dir_ = std::make_unique<TempDir>();
  std::vector<std::string> argv = {iotrace, "--quiet", "--export-json",
                                   report_dir_->file("report.json")};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.emplace_back("--");
  argv.insert(argv.end(), argv_.begin(), argv_.end());
  argv_ = std::move(argv);
  return *this;
}

Outcome run(std::vector<std::string> argv) { return Command(std::move(argv)).wait(); }

Outcome traced(std::vector<std::string> argv, std::vector<std::string> options) {
  return Command(std::move(argv)).traced(std::move(options)).wait();
}

bool running_as_root() { return geteuid() == 0; }

std::ostream& operator<<(std::ostream& stream, const Outcome& outcome) {
  if (outcome.code) {
    stream << "exit code " << *outcome.code;
  } else {
    stream << "signal " << outcome.signal;
  }
  return stream << "\nstdout: " << outcome.out << "\nstderr: " << outcome.err
                << "\nreport: " << outcome.report.dump(1);
}

}  // namespace iotrace::test
