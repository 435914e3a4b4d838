// The reader of strace's log. Line by line, with the state of each thread beside it: the call that
// it is in (strace splits a call over two lines when another thread gets in between) and the calls
// that a signal interrupted in it.
#include "tests/referee/strace_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ostream>
#include <unordered_map>

namespace iotrace::referee {
namespace {

constexpr std::string_view kUnfinished = "<unfinished ...>";

struct OutputCall {
  std::string_view name;
  bool in_syscw;
};

constexpr std::array kOutputCalls = {
#define OUTPUT_CALL(name, in_syscw) OutputCall{#name, in_syscw},
#include "interpose/shared/calls.def"
#undef OUTPUT_CALL
};

bool is_output_call(std::string_view name) {
  return std::ranges::any_of(kOutputCalls, [&](const OutputCall& c) { return c.name == name; });
}

bool in_syscw(std::string_view name) {
  return std::ranges::any_of(kOutputCalls,
                             [&](const OutputCall& c) { return c.name == name && c.in_syscw; });
}

template <typename Integer>
std::optional<Integer> leading_integer(std::string_view text) {
  Integer value{};
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) {
    return std::nullopt;
  }
  return value;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool consume_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// What is left of the list when `index` arguments are skipped; commas inside strings, structures
// and paths do not count.
std::string_view argument(std::string_view arguments, int index) {
  bool quoted = false;
  int depth = 0;
  for (size_t i = 0; i < arguments.size() && index > 0; ++i) {
    const char c = arguments[i];
    if (quoted ? c == '\\' : arguments.substr(i).starts_with("=>")) {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{' || c == '<')) {
      ++depth;
    } else if (!quoted && (c == ']' || c == '}' || c == '>')) {
      --depth;
    } else if (!quoted && depth == 0 && c == ',' && --index == 0) {
      return trimmed(arguments.substr(i + 1));
    }
  }
  return index == 0 ? arguments : std::string_view();
}

int output_descriptor_position(std::string_view name) {
  if (name == "copy_file_range" || name == "splice") return 2;
  return name == "tee" ? 1 : 0;
}

void set_descriptor(StraceCall& call, std::string_view arguments) {
  std::string_view text = argument(arguments, output_descriptor_position(call.name));
  const std::optional<int> fd = leading_integer<int>(text);
  if (!fd) return;
  call.fd = *fd;
  const size_t open = text.find_first_not_of("-0123456789");
  if (open == std::string_view::npos || text[open] != '<') return;
  const size_t close = text.find('>', open);
  call.path = text.substr(open + 1, close - open - 1);
}

// sendmmsg returns a number of messages; the bytes of each are in its `msg_len`.
uint64_t message_bytes(std::string_view arguments, uint64_t messages) {
  constexpr std::string_view kLength = "msg_len=";
  uint64_t bytes = 0;
  size_t at = arguments.find(kLength);
  for (; messages > 0 && at != std::string_view::npos; --messages) {
    bytes += leading_integer<uint64_t>(arguments.substr(at + kLength.size())).value_or(0);
    at = arguments.find(kLength, at + 1);
  }
  return bytes;
}

class Reader {
 public:
  void line(std::string_view text) {
    const std::optional<int> tid = leading_integer<int>(text);
    if (!tid) return;
    text = trimmed(text.substr(text.find_first_not_of("0123456789")));
    Thread& thread = threads_[*tid];
    if (text.starts_with("+++")) {
      threads_.erase(*tid);
    } else if (consume_prefix(text, "<... ")) {
      const size_t end = text.find(" resumed>");
      if (end != std::string_view::npos && text.substr(0, end) == thread.name) {
        finish(thread, thread.begun + std::string(text.substr(end + 9)));
      }
    } else if (const size_t open = text.find('('); !text.starts_with("---") && open != text.npos) {
      begin(*tid, thread, text.substr(0, open), text.substr(open + 1));
    }
  }

  std::vector<StraceCall> take() { return std::move(calls_); }

 private:
  struct Interrupted {
    size_t call;
    std::string name;
    std::string arguments;
  };
  struct Thread {
    std::string name;               // of the call that it is in
    std::string begun;              // the arguments as far as they are known
    std::optional<size_t> current;  // index into calls_; unset for a call that is no output call
    std::vector<Interrupted> interrupted;
  };

  void begin(int tid, Thread& thread, std::string_view name, std::string_view rest) {
    thread.name = name;
    thread.current.reset();
    const bool unfinished = rest.ends_with(kUnfinished);
    if (unfinished) rest = trimmed(rest.substr(0, rest.size() - kUnfinished.size()));
    if (is_output_call(name)) thread.current = restarted(thread, rest);
    if (is_output_call(name) && !thread.current) {
      thread.current = calls_.size();
      calls_.push_back({.tid = tid, .name = std::string(name), .path = {}, .error = {}});
      set_descriptor(calls_.back(), rest);
    }
    thread.begun = rest;
    if (!unfinished) finish(thread, rest);
  }

  // The interrupted call that a call beginning with `text` continues, if any.
  static std::optional<size_t> restarted(Thread& thread, std::string_view text) {
    if (thread.interrupted.empty()) return std::nullopt;
    const Interrupted& last = thread.interrupted.back();
    if (last.name != thread.name || !text.starts_with(last.arguments)) return std::nullopt;
    text.remove_prefix(last.arguments.size());
    if (!text.empty() && text.front() != ')') return std::nullopt;
    const size_t call = last.call;
    thread.interrupted.pop_back();
    return call;
  }

  // `text` is everything behind the opening parenthesis: arguments, result, error.
  void finish(Thread& thread, std::string_view text) {
    const size_t equals = text.rfind(" = ");
    if (equals == std::string_view::npos) return;
    std::string_view arguments = trimmed(text.substr(0, equals));
    if (arguments.ends_with(')')) arguments.remove_suffix(1);
    const std::string_view result = text.substr(equals + 3);
    if (thread.name == "rt_sigreturn" && result.starts_with("-1 EINTR")) {
      if (!thread.interrupted.empty()) thread.interrupted.pop_back();
    }
    if (!thread.current) return;
    StraceCall& call = calls_[*thread.current];
    if (call.fd < 0) set_descriptor(call, arguments);  // the beginning was too short to tell
    if (result.starts_with("? ERESTART")) {
      ++call.interruptions;
      thread.interrupted.push_back({*thread.current, thread.name, std::string(arguments)});
    } else if (std::string_view error = result; consume_prefix(error, "-1 ")) {
      call.returned = true;
      call.error = error.substr(0, error.find(' '));
    } else if (const std::optional<uint64_t> value = leading_integer<uint64_t>(result)) {
      call.returned = true;
      call.bytes = call.name == "sendmmsg" ? message_bytes(arguments, *value) : *value;
    }
    thread.current.reset();
  }

  std::vector<StraceCall> calls_;
  std::unordered_map<int, Thread> threads_;
};

}  // namespace

void PrintTo(const CallSum& sum, std::ostream* stream) {
  *stream << sum.calls << " calls, " << sum.bytes << " bytes";
}

std::vector<StraceCall> parse_strace_log(std::string_view log) {
  Reader reader;
  while (!log.empty()) {
    const size_t end = log.find('\n');
    reader.line(log.substr(0, end));
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
  }
  return reader.take();
}

KernelRange kernel_range(const std::vector<StraceCall>& calls) {
  KernelRange range;
  for (const StraceCall& call : calls) {
    if (!in_syscw(call.name)) continue;
    range.at_most += 1 + call.interruptions;
    range.interruptions += call.interruptions;
    const bool at_end_of_source = call.name == "copy_file_range" && call.bytes == 0;
    if (call.returned && call.error.empty() && !at_end_of_source) ++range.at_least;
  }
  return range;
}

CallsByName calls_by_name(const std::vector<StraceCall>& calls) {
  CallsByName sums;
  for (const StraceCall& call : calls) ++sums[call.name];
  return sums;
}

CallsByName calls_by_name_to_path(const std::vector<StraceCall>& calls, std::string_view path) {
  CallsByName sums;
  for (const StraceCall& call : calls) {
    if (call.path == path) ++sums[call.name];
  }
  return sums;
}

std::map<int, CallSum> sums_by_descriptor(const std::vector<StraceCall>& calls) {
  std::map<int, CallSum> sums;
  for (const StraceCall& call : calls) {
    sums[call.fd].calls += 1;
    sums[call.fd].bytes += call.bytes;
  }
  return sums;
}

std::string strace_filter() {
  std::string filter = "trace=rt_sigreturn";
  for (const OutputCall& call : kOutputCalls) filter.append(",").append(call.name);
  return filter;
}

}  // namespace iotrace::referee
