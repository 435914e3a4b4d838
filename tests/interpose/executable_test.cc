// Tests of interpose/shared/executable: what the first bytes of a file say, also when it is cut off
// anywhere.
#include "interpose/shared/executable.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/interpose/executable_bytes.h"

namespace iotrace {
namespace {

// A copy of just that size, so that a sanitizer sees every byte that is read behind it.
Loading classify(const std::string& bytes) {
  auto copy = std::make_unique<unsigned char[]>(bytes.size());
  memcpy(copy.get(), bytes.data(), bytes.size());
  return classify_executable(copy.get(), bytes.size());
}

TEST(Executable, is_classified_by_its_loader) {
  EXPECT_EQ(classify(dynamic_executable()), Loading::loads);
  EXPECT_EQ(classify(musl_executable()), Loading::other_libc);
  EXPECT_EQ(classify(static_executable()), Loading::static_program);
}

TEST(Executable, of_another_class_or_processor_is_foreign) {
  EXPECT_EQ(classify(narrow_executable()), Loading::foreign_class);
  EXPECT_EQ(classify(executable_bytes({.machine = EM_RISCV})), Loading::foreign_class);
  EXPECT_EQ(classify(executable_bytes({.elf_class = ELFCLASS32, .interpreter = "ld-linux.so.2"})),
            Loading::foreign_class);
}

TEST(Executable, scripts_and_what_is_none) {
  EXPECT_EQ(classify("#!/bin/sh\n"), Loading::script);
  EXPECT_EQ(classify("#!"), Loading::script);
  EXPECT_EQ(classify("#"), Loading::unknown);
  EXPECT_EQ(classify(""), Loading::unknown);
  EXPECT_EQ(classify(std::string(200, 'x')), Loading::unknown);
}

TEST(Executable, cut_off_in_its_header_is_none) {
  std::string whole = dynamic_executable();
  for (size_t size = 2; size < sizeof(Elf64_Ehdr); ++size)
    EXPECT_EQ(classify(whole.substr(0, size)), Loading::unknown) << size;
}

// What cannot be told is taken for the usual.
TEST(Executable, cut_off_behind_its_header_is_taken_for_a_dynamic_one) {
  for (const std::string& whole : {dynamic_executable(), musl_executable()}) {
    for (size_t size = sizeof(Elf64_Ehdr); size < whole.size(); ++size)
      EXPECT_EQ(classify(whole.substr(0, size)), Loading::loads) << size;
  }
}

TEST(Executable, offsets_that_lead_nowhere_are_not_followed) {
  std::string bytes = dynamic_executable();
  Elf64_Ehdr header;
  memcpy(&header, bytes.data(), sizeof(header));
  header.e_phoff = UINT64_MAX - 10;
  memcpy(bytes.data(), &header, sizeof(header));
  EXPECT_EQ(classify(bytes), Loading::loads);

  bytes = dynamic_executable();
  Elf64_Phdr segment;
  size_t at = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
  memcpy(&segment, bytes.data() + at, sizeof(segment));
  segment.p_filesz = UINT64_MAX - 5;
  memcpy(bytes.data() + at, &segment, sizeof(segment));
  EXPECT_EQ(classify(bytes), Loading::loads);
}

std::string interpreter_of(const std::string& line, size_t capacity = 100) {
  std::string path(capacity, '?');
  const unsigned char* head = reinterpret_cast<const unsigned char*>(line.data());
  if (!script_interpreter(head, line.size(), path.data(), capacity)) return "none";
  return path.c_str();
}

TEST(ScriptInterpreter, is_the_first_word_behind_the_mark) {
  EXPECT_EQ(interpreter_of("#!/bin/sh\necho"), "/bin/sh");
  EXPECT_EQ(interpreter_of("#! \t/usr/bin/env -S python3\n"), "/usr/bin/env");
  EXPECT_EQ(interpreter_of("#!/bin/sh\t-e"), "/bin/sh");
  EXPECT_EQ(interpreter_of("#!/bin/sh"), "/bin/sh");
  EXPECT_EQ(interpreter_of(std::string("#!/bin/sh\0x", 11)), "/bin/sh");
}

TEST(ScriptInterpreter, may_be_missing_or_too_long) {
  EXPECT_EQ(interpreter_of("#!"), "none");
  EXPECT_EQ(interpreter_of("#!  \n/bin/sh"), "none");
  EXPECT_EQ(interpreter_of("#!/bin/sh\n", 8), "/bin/sh");
  EXPECT_EQ(interpreter_of("#!/bin/sh\n", 7), "none");
}

}  // namespace
}  // namespace iotrace
