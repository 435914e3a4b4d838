// Scenarios: iotrace as it is installed: by `cmake --install`, wherever the folder is then moved.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace iotrace::test {
namespace {

namespace fs = std::filesystem;

class Installed : public testing::Test {
 protected:
  Installed() {
    Outcome outcome = run({IOTRACE_CMAKE, "--install", IOTRACE_BUILD_DIR, "--prefix", prefix_});
    EXPECT_EQ(outcome.code, 0) << outcome;
  }

  void expect_works(const std::string& launcher) {
    Outcome outcome = Command({demo("printf_demo"), "20"})
                          .stdout_to(null_device())
                          .in_directory("/")
                          .traced_by(launcher)
                          .wait();
    ASSERT_EQ(outcome.code, 0) << outcome;
    EXPECT_EQ(outcome.stream("stdout")["bytes"], 740);
    EXPECT_EQ(outcome.report["coverage"]["complete"], true);
  }

  TempDir dir_;
  const std::string prefix_ = dir_.file("with blank:and colon");
};

TEST_F(Installed, works_through_a_symbolic_link_from_a_path_with_blanks_and_a_colon) {
  expect_works(prefix_ + "/bin/iotrace");
  fs::create_symlink(prefix_ + "/bin/iotrace", dir_.file("link"));
  expect_works(dir_.file("link"));
}

TEST_F(Installed, works_where_it_was_moved) {
  fs::rename(prefix_, dir_.file("moved"));
  expect_works(dir_.file("moved") + "/bin/iotrace");
}

}  // namespace
}  // namespace iotrace::test
