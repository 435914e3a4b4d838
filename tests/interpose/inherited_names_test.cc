// Tests of interpose/inherited: the variables by which a program finds the arena, and everything
// that they must not be.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "interpose/attach.h"
#include "interpose/inherited.h"

namespace iotrace {
namespace {

class InheritedNamesTest : public testing::Test {
 protected:
  void TearDown() override { arena_names = {}; }

  bool read(const std::vector<std::string>& variables) {
    std::vector<char*> environment;
    for (const std::string& variable : variables)
      environment.push_back(const_cast<char*>(variable.c_str()));
    environment.push_back(nullptr);
    return read_inherited_names(environment.data(), &names_);
  }
  bool read_arena(const std::string& value) {
    return read({"IOTRACE_ARENA=" + value, "IOTRACE_SLOT=0"});
  }
  bool read_slot(const std::string& value) {
    return read({"IOTRACE_ARENA=/a/b:0123456789abcdef", "IOTRACE_SLOT=" + value});
  }

  InheritedNames names_ = {};
};

TEST_F(InheritedNamesTest, are_read_and_kept_for_the_programs_that_this_one_executes) {
  ASSERT_TRUE(read({"A=1", "IOTRACE_SLOT=17", "IOTRACE_ARENA=/dir/file:0123456789abcdef"}));
  EXPECT_STREQ(names_.arena_path, "/dir/file");
  EXPECT_EQ(names_.nonce, 0x0123456789abcdefU);
  EXPECT_EQ(names_.slot, 17U);
  EXPECT_STREQ(arena_names.arena_variable, "IOTRACE_ARENA=/dir/file:0123456789abcdef");
  EXPECT_STREQ(arena_names.library, "/dir/libiotrace.so");
}

TEST_F(InheritedNamesTest, a_path_may_have_colons_and_blanks) {
  ASSERT_TRUE(read_arena("/a b:c/d:e:fedcba9876543210"));
  EXPECT_STREQ(names_.arena_path, "/a b:c/d:e");
  EXPECT_STREQ(arena_names.library, "/a b:c/libiotrace.so");
}

TEST_F(InheritedNamesTest, both_must_be_there) {
  EXPECT_FALSE(read_inherited_names(nullptr, &names_));
  EXPECT_FALSE(read({}));
  EXPECT_FALSE(read({"IOTRACE_ARENA=/a/b:0123456789abcdef"}));
  EXPECT_FALSE(read({"IOTRACE_SLOT=0"}));
  EXPECT_FALSE(read({"IOTRACE_ARENAS=/a/b:0123456789abcdef", "IOTRACE_SLOTS=0"}));
}

TEST_F(InheritedNamesTest, an_arena_that_makes_no_sense_is_none) {
  for (const char* value :
       {"", ":", "/a/b", "/a/b:", "/a/b:0123456789abcde", "/a/b:0123456789abcdef0",
        "/a/b:0123456789abcdeg", "/a/b:0123456789ABCDEF", "/a/b:0x23456789abcdef",
        "/a/b:0123456789abcde ", ":0123456789abcdef", "0123456789abcdef"}) {
    EXPECT_FALSE(read_arena(value)) << value;
  }
}

TEST_F(InheritedNamesTest, a_slot_is_a_number_within_the_table) {
  EXPECT_TRUE(read_slot("0"));
  EXPECT_TRUE(read_slot(std::to_string(kSlotCount - 1)));
  EXPECT_EQ(names_.slot, kSlotCount - 1);
  for (const std::string& value :
       {std::string(), std::to_string(kSlotCount), std::to_string(uint64_t{1} << 32),
        std::string("4294967297"), std::string(40, '9'), std::string("-1"), std::string("+1"),
        std::string("1 "), std::string("1x"), std::string("0x1")}) {
    EXPECT_FALSE(read_slot(value)) << value;
  }
}

TEST_F(InheritedNamesTest, a_path_that_does_not_fit_is_refused) {
  const std::string nonce = ":0123456789abcdef";
  const size_t longest = kPathCapacity - sizeof("IOTRACE_ARENA=") - nonce.size();
  EXPECT_TRUE(read_arena("/" + std::string(longest - 1, 'x') + nonce));
  EXPECT_FALSE(read_arena("/" + std::string(longest, 'x') + nonce));
  std::string directory = "/" + std::string(longest - 2, 'x') + "/";
  EXPECT_TRUE(read_arena(directory + nonce));
  EXPECT_EQ(arena_names.library, directory + "libiotrace.so");
  EXPECT_FALSE(read_arena(std::string(10'000, 'x') + nonce));
}

}  // namespace
}  // namespace iotrace
