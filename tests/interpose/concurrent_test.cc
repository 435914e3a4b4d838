// Tests of the arena under a reader that takes snapshots while threads count into it: what it sees
// only grows, and is exact once they have ended. Under TSan (preset tsan) also free of races.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/interpose/arena_fixture.h"
#include "tests/interpose/counted_write.h"

namespace iotrace {
namespace {

constexpr int kThreads = 4;
constexpr uint64_t kWrites = 20'000;

class Concurrent : public ArenaTest {
 protected:
  // Each thread writes to the shared file and to one of its own, and fails now and then.
  void write_all() {
    OpenDescriptor own(open_temporary_file());
    counted_write(shared_, "12345");
    // All have their lanes before one ends: none is taken over here, of which TSan could not know
    // that its thread is gone.
    for (++started_; started_ < kThreads;) std::this_thread::yield();
    for (uint64_t i = 0; i < kWrites; ++i) {
      if (i > 0) counted_write(shared_, "12345");
      counted_write(own, i % 2 == 0 ? "1\n" : "12");
      if (i % 100 == 0) failing_write(shared_, ENOSPC);
    }
    ++ended_;
  }

  OpenDescriptor shared_{open_temporary_file()};
  std::atomic<int> started_ = 0, ended_ = 0;
};

TEST_F(Concurrent, a_reader_sees_what_grows_and_then_all) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&] { write_all(); });
  uint64_t calls = 0, bytes = 0;
  while (ended_ < kThreads) {
    Tally seen = tally(shared_);
    EXPECT_GE(seen.all_calls(), calls);
    EXPECT_GE(seen.bytes, bytes);
    calls = seen.all_calls();
    bytes = seen.bytes;
  }
  for (std::thread& thread : threads) thread.join();

  Tally of_shared = tally(shared_);
  EXPECT_EQ(of_shared.succeeded_calls(), kThreads * kWrites);
  EXPECT_EQ(of_shared.failed_calls(), kThreads * kWrites / 100);
  EXPECT_EQ(of_shared.unfinished_calls(), 0U);
  EXPECT_EQ(of_shared.bytes, 5 * kThreads * kWrites);
  Tally all;
  const Snapshot snapshot = take_snapshot(arena().base());
  for (const RecordSnapshot& record : snapshot.images.at(0).records) all.add(record.tally);
  EXPECT_EQ(all.bytes, (5 + 2) * kThreads * kWrites);
  EXPECT_EQ(all.newline_terminated, kThreads * kWrites / 2);
}

}  // namespace
}  // namespace iotrace
