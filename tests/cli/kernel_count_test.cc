// Tests of cli/kernel_count with real processes: what the kernel says of them, as root and as
// another user.
#include "cli/kernel_count.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <set>

#include "tests/cli/arena_contents.h"

namespace iotrace {
namespace {

void write_times(int count) {
  int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (int i = 0; i < count; ++i) {
    if (write(fd, "x", 1) != 1) _exit(99);
  }
  close(fd);
}

// A child that begins when it is told to, and its end as waitid tells it.
class Child {
 public:
  explicit Child(const std::function<void()>& body) {
    if (pipe2(start_, O_CLOEXEC) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      close(start_[1]);
      char go;
      ssize_t got = read(start_[0], &go, 1);
      body();
      _exit(got == 0 ? 3 : 98);
    }
  }
  ~Child() {
    close(start_[0]);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

  // Lets it run to its end, and leaves a zombie.
  siginfo_t finish() {
    close(start_[1]);
    siginfo_t info = {};
    waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
    return info;
  }

 private:
  int start_[2] = {-1, -1};
  pid_t pid_ = -1;
};

int lowest_free_descriptor() {
  int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(fd);
  return fd;
}

class KernelCountTest : public testing::Test {
 protected:
  // What was noted of a child that runs `body`.
  ReapedProcess noted(const std::function<void()>& body) {
    Child child(body);
    count_.child_created(child.pid());
    siginfo_t info = child.finish();
    count_.about_to_reap(child.pid(), info);
    EXPECT_EQ(count_.reaped().back().pid, child.pid());
    return count_.reaped().back();
  }
  ArenaContents arena_;
  KernelCount count_{arena_.base()};
};

TEST_F(KernelCountTest, has_the_write_calls_and_the_exit_of_a_child) {
  ReapedProcess process = noted([] { write_times(17); });
  EXPECT_EQ(process.write_calls, 17U);
  EXPECT_EQ(process.exit.code, 3);
  EXPECT_EQ(process.exit.signal, std::nullopt);
  EXPECT_FALSE(process.core_dumped);
  EXPECT_TRUE(process.slots.empty());
}

TEST_F(KernelCountTest, contains_the_descendants_that_the_child_reaped) {
  ReapedProcess process = noted([] {
    write_times(5);
    pid_t grandchild = fork();
    if (grandchild == 0) {
      write_times(10);
      _exit(0);
    }
    waitpid(grandchild, nullptr, 0);
  });
  EXPECT_EQ(process.write_calls, 15U);
}

TEST_F(KernelCountTest, has_the_signal_that_ended_a_child) {
  ReapedProcess process = noted([] { raise(SIGTERM); });
  EXPECT_EQ(process.exit.signal, "SIGTERM");
  EXPECT_EQ(process.exit.code, std::nullopt);
}

TEST_F(KernelCountTest, has_the_name_that_the_kernel_knows) {
  EXPECT_EQ(noted([] { prctl(PR_SET_NAME, "a (strange) one"); }).name, "a (strange) one");
}

TEST_F(KernelCountTest, says_when_a_core_was_dumped) {
  siginfo_t info = {};
  info.si_code = CLD_DUMPED;
  info.si_status = SIGSEGV;
  count_.about_to_reap(0x3fffffff, info);
  EXPECT_TRUE(count_.reaped().at(0).core_dumped);
  EXPECT_EQ(count_.reaped()[0].exit.signal, "SIGSEGV");
}

TEST_F(KernelCountTest, of_a_process_that_is_gone_is_not_known) {
  count_.about_to_reap(0x3fffffff, {});
  EXPECT_EQ(count_.reaped().at(0).write_calls, std::nullopt);
}

TEST_F(KernelCountTest, knows_the_images_of_a_process_and_not_those_of_an_earlier_one) {
  constexpr pid_t kPid = 0x3fffffff;
  arena_.add_image(0, kPid);
  arena_.add_announcement(1, kPid);
  arena_.add_image(2, 5);
  count_.about_to_reap(kPid, {});
  EXPECT_EQ(count_.reaped().at(0).slots, (std::vector<uint32_t>{0, 1}));
  // The number is used again.
  arena_.add_image(3, kPid);
  count_.about_to_reap(kPid, {});
  EXPECT_EQ(count_.reaped().at(1).slots, std::vector<uint32_t>{3});
}

TEST_F(KernelCountTest, keeps_no_file_open) {
  int before = lowest_free_descriptor();
  noted([] {});
  EXPECT_EQ(lowest_free_descriptor(), before);
  Child child([] {});
  int with_child = lowest_free_descriptor();
  {
    KernelCount count(arena_.base());
    count.child_created(child.pid());
    EXPECT_NE(lowest_free_descriptor(), with_child);
  }
  EXPECT_EQ(lowest_free_descriptor(), with_child);
  child.finish();
}

TEST_F(KernelCountTest, names_the_children_that_have_not_ended) {
  Child child([] {});
  std::set<pid_t> living;
  for (const LivingProcess& process : KernelCount::living_children()) {
    living.insert(process.pid);
    EXPECT_FALSE(process.name.empty());
  }
  EXPECT_TRUE(living.contains(child.pid()));
  child.finish();
}

TEST_F(KernelCountTest, root_reads_that_of_a_zombie_it_has_never_seen) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  Child child([] { write_times(7); });
  siginfo_t info = child.finish();
  count_.about_to_reap(child.pid(), info);
  EXPECT_EQ(count_.reaped().at(0).write_calls, 7U);
}

// Runs `body` as a user without rights and passes on the failures in it: it returns what is wrong.
std::string as_nobody(const std::function<std::string()>& body) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
  pid_t child = fork();
  if (child == 0) {
    std::string wrong;
    // To a process that has changed its user, its own files in /proc belong to root.
    if (geteuid() == 0 &&
        (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0))
      wrong = "cannot become another user";
    prctl(PR_SET_DUMPABLE, 1);
    if (wrong.empty()) wrong = body();
    _exit(write(ends[1], wrong.data(), wrong.size()) < 0);
  }
  close(ends[1]);
  char wrong[200];
  ssize_t size = read(ends[0], wrong, sizeof(wrong));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return std::string(wrong, size > 0 ? static_cast<size_t>(size) : 0);
}

std::string described(const std::optional<uint64_t>& calls) {
  return calls ? std::to_string(*calls) : "unknown";
}

TEST_F(KernelCountTest, others_read_it_if_they_have_opened_it_in_time) {
  EXPECT_EQ(as_nobody([this] { return described(noted([] { write_times(7); }).write_calls); }),
            "7");
  EXPECT_EQ(as_nobody([this] {
              Child child([] { write_times(7); });
              count_.about_to_reap(child.pid(), child.finish());
              return described(count_.reaped().at(0).write_calls);
            }),
            "unknown");
}

TEST_F(KernelCountTest, a_tick_opens_those_of_orphans_that_have_come) {
  EXPECT_EQ(as_nobody([this]() -> std::string {
              Child child([] { write_times(7); });
              count_.tick();
              count_.about_to_reap(child.pid(), child.finish());
              return described(count_.reaped().at(0).write_calls);
            }),
            "7");
}

TEST(SignalName, is_the_usual_one_or_the_number) {
  EXPECT_EQ(signal_name(SIGTERM), "SIGTERM");
  EXPECT_EQ(signal_name(SIGPIPE), "SIGPIPE");
  EXPECT_EQ(signal_name(40), "SIG40");
}

}  // namespace
}  // namespace iotrace
