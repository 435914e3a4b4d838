// Tests of interpose/exec_environment: the environment that an executed program gets, and what is
// announced of it.
#include "interpose/exec_environment.h"

#include <gtest/gtest.h>
#include <stdio.h>

#include <string>
#include <vector>

#include "interpose/attach.h"
#include "interpose/descriptors.h"
#include "interpose/memory.h"
#include "tests/interpose/arena_fixture.h"
#include "tests/interpose/executable_bytes.h"

namespace iotrace {
namespace {

using Variables = std::vector<std::string>;

class ExecEnvironment : public ArenaTest {
 protected:
  void SetUp() override {
    ArenaTest::SetUp();
    library_ = folder_.add("libiotrace.so", "x");
    snprintf(arena_names.library, sizeof(arena_names.library), "%s", library_.c_str());
    snprintf(arena_names.arena_variable, sizeof(arena_names.arena_variable), "IOTRACE_ARENA=/a:1");
    program_ = folder_.add("program", dynamic_executable());
  }

  // Executes `program_` with the variables given; the environments that exec was called with.
  // `results` says what each call returns, as exec does.
  std::vector<Variables> execute(const Variables& variables, std::vector<int> errors = {ENOENT},
                                 bool spawns = false) {
    std::vector<char*> environment;
    for (const std::string& variable : variables)
      environment.push_back(const_cast<char*>(variable.c_str()));
    environment.push_back(nullptr);
    ExecRequest request;
    request.path = program_.c_str();
    request.argv = argv_;
    request.environment = environment.data();
    request.spawns = spawns;
    std::vector<Variables> seen;
    result_ = exec_announced(request, [&](char** entries) -> long {
      seen.emplace_back();
      for (char** entry = entries; *entry != nullptr; ++entry) seen.back().push_back(*entry);
      int error = errors.at(seen.size() - 1);
      if (spawns || error == 0) return error;
      errno = error;
      return -1;
    });
    return seen;
  }
  Variables environment_for(const Variables& variables) { return execute(variables).at(0); }

  const Announcement& announcement(uint32_t slot) {
    return *in_image<Announcement>(arena().slot(slot).announcement);
  }

  char* argv_[3] = {const_cast<char*>("program"), const_cast<char*>("-x"), nullptr};
  ProgramFolder folder_;
  std::string library_, program_;
  long result_ = 0;
};

TEST_F(ExecEnvironment, our_variables_are_added_and_all_others_kept) {
  EXPECT_EQ(environment_for({"HOME=/root", "EMPTY=", "no equals sign"}),
            (Variables{"HOME=/root", "EMPTY=", "no equals sign", "LD_PRELOAD=" + library_,
                       "IOTRACE_ARENA=/a:1", "IOTRACE_SLOT=1"}));
}

TEST_F(ExecEnvironment, those_of_the_parent_are_replaced) {
  EXPECT_EQ(environment_for({"IOTRACE_SLOT=77", "A=1", "IOTRACE_ARENA=/a:1", "IOTRACE_SLOT=78"}),
            (Variables{"A=1", "LD_PRELOAD=" + library_, "IOTRACE_ARENA=/a:1", "IOTRACE_SLOT=1"}));
}

TEST_F(ExecEnvironment, names_that_only_begin_like_ours_are_others) {
  Variables seen = environment_for({"IOTRACE_ARENAS=1", "IOTRACE_SLOTTED=2", "LD_PRELOADED=3"});
  EXPECT_EQ(Variables(seen.begin(), seen.begin() + 3),
            (Variables{"IOTRACE_ARENAS=1", "IOTRACE_SLOTTED=2", "LD_PRELOADED=3"}));
}

TEST_F(ExecEnvironment, the_library_comes_after_every_other_preload) {
  EXPECT_EQ(environment_for({"LD_PRELOAD=/x.so:/y.so", "A=1"})[0],
            "LD_PRELOAD=/x.so:/y.so:" + library_);
  EXPECT_EQ(environment_for({"LD_PRELOAD="})[0], "LD_PRELOAD=" + library_);
}

TEST_F(ExecEnvironment, where_the_library_stands_already_nothing_moves) {
  for (const std::string& value :
       {library_, "/x.so:" + library_, library_ + " /x.so", "/x.so " + library_ + ":/y.so"}) {
    EXPECT_EQ(environment_for({"LD_PRELOAD=" + value})[0], "LD_PRELOAD=" + value);
  }
}

TEST_F(ExecEnvironment, a_path_that_only_contains_the_librarys_is_another) {
  EXPECT_EQ(environment_for({"LD_PRELOAD=/x" + library_ + ":" + library_ + "x"})[0],
            "LD_PRELOAD=/x" + library_ + ":" + library_ + "x:" + library_);
}

TEST_F(ExecEnvironment, a_program_that_cannot_load_it_does_not_get_it) {
  program_ = folder_.add("program", narrow_executable());
  EXPECT_EQ(environment_for({"A=1"}), (Variables{"A=1", "IOTRACE_ARENA=/a:1", "IOTRACE_SLOT=1"}));
  auto preload = [this](const std::string& value) {
    return environment_for({"LD_PRELOAD=" + value})[0];
  };
  EXPECT_EQ(preload("/x.so:" + library_), "LD_PRELOAD=/x.so");
  EXPECT_EQ(preload(library_ + ":/x.so"), "LD_PRELOAD=/x.so");
  EXPECT_EQ(preload("/x.so:" + library_ + ":/y.so"), "LD_PRELOAD=/x.so:/y.so");
  EXPECT_EQ(preload("/x.so"), "LD_PRELOAD=/x.so");
  EXPECT_EQ(preload(library_), "IOTRACE_ARENA=/a:1");
}

TEST_F(ExecEnvironment, a_library_that_is_gone_is_not_named) {
  std::filesystem::remove(library_);
  EXPECT_EQ(environment_for({"A=1"}), (Variables{"A=1", "IOTRACE_ARENA=/a:1", "IOTRACE_SLOT=1"}));
}

TEST_F(ExecEnvironment, that_of_another_run_is_left_alone) {
  Variables others = {"IOTRACE_ARENA=/b:2", "IOTRACE_SLOT=0", "LD_PRELOAD=/b/libiotrace.so"};
  EXPECT_EQ(execute(others, {0}, true).at(0), others);
  EXPECT_EQ(state_of(arena().slot(1)), SlotState::announced);
  EXPECT_EQ(announcement(1).expected_reason, NotInstrumented::another_run);
}

TEST_F(ExecEnvironment, one_that_has_become_too_long_is_given_up) {
  Variables variables = {"A=1"};
  std::vector<Variables> seen = execute(variables, {E2BIG, ENOENT});
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_NE(seen[0], variables);
  EXPECT_EQ(seen[1], variables);
  EXPECT_EQ(result_, -1);
  seen = execute(variables, {E2BIG, 0}, true);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1], variables);
  EXPECT_EQ(result_, 0);
}

TEST_F(ExecEnvironment, of_a_null_pointer_ours_alone_remain) {
  ExecRequest request;
  request.path = program_.c_str();
  Variables seen;
  exec_announced(request, [&](char** entries) {
    for (; *entries != nullptr; ++entries) seen.push_back(*entries);
    return -1L;
  });
  EXPECT_EQ(seen, (Variables{"LD_PRELOAD=" + library_, "IOTRACE_ARENA=/a:1", "IOTRACE_SLOT=1"}));
}

TEST_F(ExecEnvironment, what_cannot_be_read_is_the_kernels_to_complain_about) {
  char** bad = reinterpret_cast<char**>(16);
  for (bool bad_arguments : {true, false}) {
    ExecRequest request;
    request.path = program_.c_str();
    (bad_arguments ? request.argv : request.environment) = bad;
    char** passed = nullptr;
    exec_announced(request, [&](char** entries) {
      passed = entries;
      return -1L;
    });
    EXPECT_EQ(passed, bad_arguments ? nullptr : bad);
  }
  EXPECT_EQ(header().next_slot, 1U);
}

TEST_F(ExecEnvironment, without_following_nothing_is_changed_or_announced) {
  header().follow = 0;
  EXPECT_EQ(environment_for({"A=1"}), Variables{"A=1"});
  header().follow = 1;
  image().flags |= kImageFrozen;
  EXPECT_EQ(environment_for({"A=1"}), Variables{"A=1"});
  EXPECT_EQ(header().next_slot, 1U);
}

}  // namespace
}  // namespace iotrace
