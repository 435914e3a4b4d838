#include "cli/collect.h"

#include <string.h>

#include <algorithm>
#include <set>

namespace iotrace {
namespace {

constexpr size_t kDescriptorsShown = 64;

std::string error_name(int error) {
  const char* name = strerrorname_np(error);
  return name != nullptr ? name : std::to_string(error);
}

std::map<std::string, uint64_t> calls_by_name(const Tally& tally) {
  std::map<std::string, uint64_t> result;
  for (unsigned i = 0; i < kCallCount; ++i) {
    if (tally.calls[i] > 0) result[kCallNames[i]] = tally.calls[i];
  }
  return result;
}

std::map<std::string, uint64_t> errors_by_name(const Tally& tally) {
  std::map<std::string, uint64_t> result;
  for (const auto& [key, count] : tally.errors) {
    if (key.second != kNothingCopied) result[error_name(key.second)] += count;
  }
  return result;
}

// Upper end of the histogram bucket in which `part` of the timed calls are reached.
std::optional<uint64_t> percentile(const Tally& tally, double part) {
  if (tally.timed_calls == 0) return std::nullopt;
  double wanted = part * static_cast<double>(tally.timed_calls);
  double reached = 0;
  for (unsigned i = 0; i < kTimeBuckets; ++i) {
    reached += static_cast<double>(tally.times[i]);
    if (reached >= wanted) return uint64_t{1} << i;
  }
  return uint64_t{1} << (kTimeBuckets - 1);
}

CallTime time_of(const Tally& tally) {
  CallTime time;
  if (tally.time_known) time.total_s = tally.time_ns / 1e9;
  time.timed_calls = tally.timed_calls;
  time.estimated = tally.timed_calls < tally.all_calls();
  time.p50_ns = percentile(tally, 0.50);
  time.p99_ns = percentile(tally, 0.99);
  if (tally.timed_calls > 0) time.max_ns = tally.max_ns;
  for (unsigned i = 0; i < kTimeBuckets; ++i) {
    if (tally.times[i] > 0) time.histogram.push_back({uint64_t{1} << i, tally.times[i]});
  }
  return time;
}

// What the records of one stream say of its stdio, beside the tally.
struct StdioFacts {
  std::set<Buffering> modes;
  uint64_t buffer_bytes = 0;
  uint64_t unflushed_bytes = 0;
  bool exact = true;

  void add(const RecordSnapshot& record, uint32_t image_flags) {
    if (record.stdio_mode == Buffering::none) return;
    modes.insert(record.stdio_mode);
    buffer_bytes = std::max(buffer_bytes, record.buffer_bytes);
    unflushed_bytes += record.unflushed_bytes;
    if (record.stdio_inexact || (image_flags & kImageInlinesStdio)) exact = false;
  }
};

std::optional<Stdio> stdio_of(const Tally& tally, const StdioFacts& facts) {
  uint64_t through_stdio = 0;
  for (uint64_t calls : tally.by_buffering) through_stdio += calls;
  if (facts.modes.empty() && tally.stdio_calls == 0 && through_stdio == 0) return std::nullopt;
  Stdio stdio;
  stdio.calls = tally.stdio_calls;
  stdio.calls_exact = facts.exact;
  for (unsigned i = 1; i < kBufferingCount; ++i) {
    if (tally.by_buffering[i] > 0)
      stdio.calls_by_buffering[kBufferingNames[i]] = tally.by_buffering[i];
  }
  uint64_t raw = tally.all_calls() - std::min(through_stdio, tally.all_calls());
  if (raw > 0) stdio.calls_by_buffering[kBufferingNames[0]] = raw;
  if (through_stdio > 0) {
    bool uniform = stdio.calls_by_buffering.size() == 1;
    stdio.buffering = uniform ? stdio.calls_by_buffering.begin()->first : "mixed";
  } else if (tally.stdio_calls > 0 && !facts.modes.empty()) {
    // Nothing was written yet: the mode that the stdio calls found.
    bool uniform = facts.modes.size() == 1 && raw == 0;
    stdio.buffering =
        uniform ? kBufferingNames[static_cast<unsigned>(*facts.modes.begin())] : "mixed";
  }
  if (!facts.modes.empty()) stdio.buffer_bytes = facts.buffer_bytes;
  for (unsigned i = 0; i < kFlushCauseCount; ++i) {
    if (tally.flush_causes[i] > 0) stdio.flush_causes[kFlushCauseNames[i]] = tally.flush_causes[i];
  }
  stdio.fflush_calls = tally.fflush_calls;
  stdio.fflush_empty_calls = tally.fflush_empty_calls;
  stdio.unflushed_bytes = facts.unflushed_bytes;
  return stdio;
}

StreamReport stream_report(const Tally& tally, const StdioFacts& facts) {
  StreamReport stream;
  stream.calls = tally.all_calls();
  stream.calls_by_name = calls_by_name(tally);
  stream.bytes = tally.bytes;
  stream.bytes_requested = tally.bytes + tally.bytes_not_taken;
  stream.succeeded_calls = tally.succeeded_calls();
  stream.short_writes = tally.short_writes;
  stream.unfinished_calls = tally.unfinished_calls();
  stream.errors = errors_by_name(tally);
  if (tally.min_bytes_plus_one > 0 && stream.succeeded_calls > 0) {
    stream.bytes_per_call.mean =
        static_cast<double>(tally.bytes) / static_cast<double>(stream.succeeded_calls);
    stream.bytes_per_call.min = tally.min_bytes_plus_one - 1;
    stream.bytes_per_call.max = tally.max_bytes;
  }
  for (unsigned i = 0; i < kSizeBuckets; ++i) {
    if (tally.sizes[i] > 0) stream.size_histogram.push_back({uint64_t{1} << i, tally.sizes[i]});
  }
  stream.newline_terminated_calls = tally.newline_terminated;
  stream.time = time_of(tally);
  stream.stdio = stdio_of(tally, facts);
  return stream;
}

std::optional<std::string> path_of(const StreamTarget& stream) {
  if (stream.path_length == 0) return std::nullopt;
  return std::string(stream.path, std::min<size_t>(stream.path_length, sizeof(stream.path)));
}

std::optional<Target> target_of(const StreamTarget& stream) {
  if (!stream.open) return std::nullopt;
  return Target{kTargetKindNames[static_cast<unsigned>(stream.kind)], path_of(stream)};
}

bool shared_target(const StreamTarget (&streams)[2]) {
  return streams[0].open && streams[1].open && streams[0].dev == streams[1].dev &&
         streams[0].ino == streams[1].ino && streams[0].rdev == streams[1].rdev;
}

Descriptor descriptor_of(const RecordSnapshot& record, const StreamTarget (&streams)[2]) {
  Descriptor descriptor;
  descriptor.fd = record.fd;
  descriptor.target = {kTargetKindNames[static_cast<unsigned>(record.kind)], record.path};
  if (record.stream != Stream::other) {
    descriptor.target.path = path_of(streams[static_cast<unsigned>(record.stream)]);
  }
  descriptor.stream = kStreamNames[static_cast<unsigned>(record.stream)];
  descriptor.calls = record.tally.all_calls();
  descriptor.calls_by_name = calls_by_name(record.tally);
  descriptor.bytes = record.tally.bytes;
  descriptor.errors = errors_by_name(record.tally);
  descriptor.unfinished_calls = record.tally.unfinished_calls();
  return descriptor;
}

void omit(const RecordSnapshot& record, DescriptorsOmitted* omitted) {
  omitted->descriptors += std::max<uint64_t>(record.merged_descriptors, 1);
  omitted->calls += record.tally.all_calls();
  omitted->bytes += record.tally.bytes;
}

void fill_descriptors(const ImageSnapshot& image, const StreamTarget (&streams)[2],
                      Process* process) {
  std::vector<const RecordSnapshot*> records;
  for (const RecordSnapshot& record : image.records) {
    if (record.tally.all_calls() == 0) continue;
    if (record.fd < 0) {
      omit(record, &process->descriptors_omitted);
    } else {
      records.push_back(&record);
    }
  }
  std::stable_sort(records.begin(), records.end(),
                   [](const RecordSnapshot* a, const RecordSnapshot* b) {
                     return a->tally.all_calls() > b->tally.all_calls();
                   });
  for (size_t i = 0; i < records.size(); ++i) {
    if (i < kDescriptorsShown) {
      process->descriptors.push_back(descriptor_of(*records[i], streams));
    } else {
      omit(*records[i], &process->descriptors_omitted);
    }
  }
}

Process process_row(const ImageSnapshot& image, const StreamTarget (&streams)[2],
                    const Audit& audit) {
  Process process;
  if (image.pid != 0) process.pid = image.pid;
  process.command = image.command;
  process.command_truncated = image.command_truncated;
  process.executable = image.executable;
  auto exit = audit.exits.find(image.slot);
  if (exit != audit.exits.end()) process.exit = exit->second;
  process.running = audit.running.contains(image.slot);
  process.threads = std::max<uint64_t>(image.threads, 1);
  process.instrumented = image.attached;
  if (image.attached) {
    process.counting = kCountingNames[static_cast<unsigned>(image.counting)];
  } else {
    process.not_instrumented_because = kNotInstrumentedNames[static_cast<unsigned>(image.reason)];
  }
  for (const RecordSnapshot& record : image.records) {
    uint64_t calls = record.tally.all_calls();
    process.calls += calls;
    process.bytes += record.tally.bytes;
    for (const auto& [name, count] : calls_by_name(record.tally))
      process.calls_by_name[name] += count;
    if (record.stream == Stream::out) {
      process.stdout_calls += calls;
      process.stdout_bytes += record.tally.bytes;
    } else if (record.stream == Stream::err) {
      process.stderr_calls += calls;
      process.stderr_bytes += record.tally.bytes;
    }
  }
  fill_descriptors(image, streams, &process);
  return process;
}

// A child that was forked only to execute something, and wrote nothing before, is no image that
// anybody asks about: the program that it executed takes its place.
bool is_passing_copy(const ImageSnapshot& image, const std::set<uint32_t>& replaced) {
  if (!(image.flags & kImageForkedCopy) || !replaced.contains(image.slot) ||
      image.overflow_calls > 0)
    return false;
  return std::all_of(image.records.begin(), image.records.end(), [](const RecordSnapshot& record) {
    return record.tally.all_calls() == 0 && record.tally.stdio_calls == 0;
  });
}

void fill_processes(const Snapshot& snapshot, const Audit& audit, std::vector<Process>* processes) {
  std::set<uint32_t> replaced;
  for (const ImageSnapshot& image : snapshot.images) {
    if (image.predecessor) replaced.insert(*image.predecessor);
  }
  std::map<uint32_t, std::optional<uint64_t>>
      row_of_slot;  // of a passing copy: the row of its parent
  for (const ImageSnapshot& image : snapshot.images) {
    std::optional<uint32_t> origin = image.predecessor ? image.predecessor : image.parent;
    std::optional<uint64_t> parent_id;
    if (origin && row_of_slot.contains(*origin)) parent_id = row_of_slot[*origin];
    if (is_passing_copy(image, replaced)) {
      row_of_slot[image.slot] = parent_id;
      continue;
    }
    Process process = process_row(image, snapshot.streams, audit);
    process.id = processes->size() + 1;
    process.parent_id = parent_id;
    row_of_slot[image.slot] = process.id;
    processes->push_back(std::move(process));
  }
}

}  // namespace

Report collect(const RunFacts& facts, const Snapshot& snapshot, Audit audit) {
  Report report;
  report.version = IOTRACE_VERSION;
  report.command = facts.command;
  report.started = facts.started;
  if (facts.result.signaled) {
    report.exit.signal = signal_name(facts.result.code);
  } else {
    report.exit.code = facts.result.code;
  }
  report.real_s = facts.result.real_s;
  report.user_s = facts.result.user_s;
  report.sys_s = facts.result.sys_s;
  report.max_rss_bytes = facts.result.max_rss_bytes;
  report.shared_target = shared_target(snapshot.streams);

  Tally tallies[kStreamCount];
  StdioFacts stdio[kStreamCount];
  report.overflow_calls = snapshot.overflow_calls;
  for (const ImageSnapshot& image : snapshot.images) {
    report.overflow_calls += image.overflow_calls;
    for (const RecordSnapshot& record : image.records) {
      unsigned stream = static_cast<unsigned>(record.stream);
      tallies[stream].add(record.tally);
      stdio[stream].add(record, image.flags);
    }
  }
  StreamReport* const streams[] = {&report.out, &report.err, &report.other};
  for (unsigned i = 0; i < kStreamCount; ++i) *streams[i] = stream_report(tallies[i], stdio[i]);
  for (unsigned i = 0; i < 2; ++i) streams[i]->target = target_of(snapshot.streams[i]);

  fill_processes(snapshot, audit, &report.processes);
  report.coverage = std::move(audit.coverage);
  return report;
}

}  // namespace iotrace
