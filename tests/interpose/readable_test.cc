// Tests of interpose/readable: a newline is seen wherever a program may keep one, and no address
// makes us crash.
#include "interpose/readable.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "interpose/shared/arena.h"

namespace iotrace {
namespace {

const char kLiteral[] = "a\n";
char writable[] = "a\n";

// While it lives the C library seems to say that there is one thread alone, or that there are more.
class Threads {
 public:
  explicit Threads(bool one_alone) : answer_(one_alone) { is_single_threaded = &answer_; }
  ~Threads() { is_single_threaded = real_; }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  const char answer_;
  const volatile char* const real_ = is_single_threaded;
};

TEST(Newline, is_seen_in_the_program_itself) {
  EXPECT_TRUE(is_newline_carefully(kLiteral + 1));
  EXPECT_FALSE(is_newline_carefully(kLiteral));
  EXPECT_TRUE(is_newline_carefully(writable + 1));
  EXPECT_FALSE(is_newline_carefully(writable));
}

TEST(Newline, the_program_is_known_without_asking) {
  EXPECT_LT(reinterpret_cast<uintptr_t>(kLiteral) - program_range.start, program_range.size);
}

TEST(Newline, is_seen_on_the_heap) {
  auto text = std::make_unique<char[]>(2);
  text[1] = '\n';
  EXPECT_TRUE(is_newline_carefully(text.get() + 1));
  EXPECT_FALSE(is_newline_carefully(text.get()));
}

[[gnu::noinline]] void expect_on_stack(size_t size) {
  char* text = static_cast<char*>(alloca(size));
  for (size_t i = 0; i < size; ++i) text[i] = 'a';
  text[size - 1] = text[size / 2] = '\n';
  EXPECT_TRUE(is_newline_carefully(text + size - 1));
  EXPECT_TRUE(is_newline_carefully(text + size / 2));
  EXPECT_FALSE(is_newline_carefully(text));
}

TEST(Newline, is_seen_on_the_stack_near_and_far) {
  expect_on_stack(16);
  expect_on_stack(100'000);
}

TEST(Newline, is_seen_on_the_stack_of_a_thread) {
  std::thread([] {
    expect_on_stack(16);
    expect_on_stack(100'000);
  }).join();
}

class MappedPages : public testing::Test {
 protected:
  void SetUp() override {
    void* start =
        mmap(nullptr, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(start, MAP_FAILED);
    pages_ = static_cast<char*>(start);
    pages_[4095] = pages_[4096] = '\n';
    ASSERT_EQ(mprotect(pages_ + 4096, 4096, PROT_NONE), 0);
    distrust_memory(pages_, 2 * 4096);  // what another test had there
  }
  void TearDown() override { munmap(pages_, 2 * 4096); }
  char* pages_ = nullptr;
};

TEST_F(MappedPages, are_read_up_to_their_end) {
  EXPECT_TRUE(is_newline_carefully(pages_ + 4095));
  EXPECT_FALSE(is_newline_carefully(pages_ + 4094));
}

TEST_F(MappedPages, that_cannot_be_read_are_no_newline_and_no_crash) {
  EXPECT_FALSE(is_newline_carefully(pages_ + 4096));
}

// What a program takes away from itself must not be touched, although it lies where memory stays.
class DistrustedMemory : public MappedPages {
 protected:
  void TearDown() override {
    program_range = before_;
    MappedPages::TearDown();
  }
  const ProgramRange before_ = program_range;
};

TEST_F(DistrustedMemory, in_the_program_is_asked_for) {
  distrust_memory(pages_, 4096);
  EXPECT_TRUE(in_program(kLiteral));
  distrust_memory(kLiteral, 1);
  EXPECT_FALSE(in_program(kLiteral));
  EXPECT_TRUE(is_newline_carefully(kLiteral + 1));
  // As if the program reached that far.
  program_range = {reinterpret_cast<uintptr_t>(pages_), 2 * 4096};
  distrust_memory(pages_ + 4096, 4096);
  EXPECT_FALSE(is_newline_carefully(pages_ + 4096));
}

TEST_F(DistrustedMemory, on_the_heap_is_asked_for) {
  const Threads one(true);
  char* heap = static_cast<char*>(sbrk(2 * 4096));
  char* page = reinterpret_cast<char*>(align_up(reinterpret_cast<uintptr_t>(heap), 4096));
  *page = '\n';
  EXPECT_TRUE(is_newline_carefully(page));
  ASSERT_EQ(mprotect(page, 4096, PROT_NONE), 0);
  distrust_memory(page, 4096);
  EXPECT_FALSE(is_newline_carefully(page));
  ASSERT_EQ(mprotect(page, 4096, PROT_READ | PROT_WRITE), 0);
}

// Where the C library says that there is one thread alone, nobody can take away what a pipe took.
TEST_F(MappedPages, may_be_looked_at_when_the_call_has_read_them) {
  EXPECT_TRUE(may_look(pages_, BytesRead::still_there));
  EXPECT_FALSE(may_look(pages_, BytesRead::unknown));
  for (bool one_alone : {false, true}) {
    const Threads threads(one_alone);
    EXPECT_EQ(may_look(pages_, BytesRead::perhaps_gone), one_alone);
  }
}

TEST_F(MappedPages, are_asked_for_once_until_something_is_unmapped) {
  EXPECT_FALSE(may_look(pages_, BytesRead::unknown));
  is_newline_carefully(pages_);
  EXPECT_TRUE(may_look(pages_ + 4095, BytesRead::unknown));
  EXPECT_FALSE(may_look(pages_ + 4096, BytesRead::unknown));
  is_newline_carefully(pages_ + 4096);
  EXPECT_FALSE(may_look(pages_ + 4096, BytesRead::unknown));
  distrust_memory(nullptr, 1);
  EXPECT_FALSE(may_look(pages_, BytesRead::unknown));
}

TEST(Newline, is_seen_on_the_heap_that_was_there_before) {
  ASSERT_NE(sbrk(4096), reinterpret_cast<void*>(-1));
  char* heap = static_cast<char*>(sbrk(0)) - 1;
  *heap = '\n';
  note_program_memory();
  {
    const Threads one(true);
    EXPECT_TRUE(is_newline_carefully(heap));
    EXPECT_FALSE(is_verified(heap));
  }
  // Another one might trim the heap in the meantime.
  const Threads several(false);
  EXPECT_TRUE(is_newline_carefully(heap));
  EXPECT_TRUE(is_verified(heap));
}

TEST(Newline, bad_addresses_are_none) {
  EXPECT_FALSE(is_newline_carefully(nullptr));
  for (uintptr_t address : {uintptr_t{1}, uintptr_t{4096}, uintptr_t{1} << 47, UINTPTR_MAX})
    EXPECT_FALSE(is_newline_carefully(reinterpret_cast<const char*>(address)));
}

// A thread may be given a stack right below memory that nobody may touch.
TEST(EndOfAStack, is_not_passed) {
  constexpr size_t kStack = 2 * 1024 * 1024, kPage = 4096;
  char* memory = static_cast<char*>(
      mmap(nullptr, kStack + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(mprotect(memory + kStack, kPage, PROT_NONE), 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstack(&attributes, memory, kStack), 0);
  pthread_t thread;
  auto look = [](void* beyond) -> void* {
    return is_newline_carefully(static_cast<const char*>(beyond)) ? beyond : nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, look, memory + kStack + 16), 0);
  void* found = memory;
  pthread_join(thread, &found);
  EXPECT_EQ(found, nullptr);
  pthread_attr_destroy(&attributes);
  munmap(memory, kStack + kPage);
}

}  // namespace
}  // namespace iotrace
