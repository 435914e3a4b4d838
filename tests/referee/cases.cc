// The table of cases. What is here must do the same at every run, so: no output that depends on
// time, no two processes that write to one pipe or one file at once, no reader whose chunks depend
// on how fast the writer is.
#include "tests/referee/cases.h"

#include "tests/support/paths.h"

namespace iotrace::referee {
namespace {

std::string corpus(const std::string& name) {
  return test::source_file("tests/referee/corpus/" + name);
}

// A program that CMake built from the corpus.
std::string built(const std::string& name) {
  return std::string(IOTRACE_REFEREE_PROGRAMS "/") + name;
}

std::vector<std::string> shell(const std::string& line) { return {"/bin/sh", "-c", line}; }

const char kNumbers[] =
    "seq 1 20000 > numbers; mkdir tree; for i in 1 2 3 4 5; do cp numbers tree/$i; done";

const char kRepository[] = R"(
  git init -q repository; cd repository
  export HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE='2020-01-01T00:00:00Z'
  export GIT_COMMITTER_DATE="$GIT_AUTHOR_DATE" GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost
  export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@localhost
  for i in $(seq 40); do seq 1 $i > file; git add file; git commit -q -m "change $i"; done
  seq 100 > file)";

const char kGitCommit[] =
    "cd repository; git add file; GIT_AUTHOR_DATE=2020-01-02T00:00:00Z "
    "GIT_COMMITTER_DATE=2020-01-02T00:00:00Z git -c user.name=a -c user.email=a@localhost "
    "-c gc.auto=0 commit -m 'one more'";

const char kProject[] = R"(
  mkdir sub
  printf 'all: out.txt\n\t@echo made all\n\t@echo and a note >&2\n\t$(MAKE) -C sub\n' > Makefile
  printf 'out.txt: in.txt\n\tsort -r in.txt > out.txt\n' >> Makefile
  printf 'all: main.o\nmain.o: main.c\n\tgcc -O1 -c main.c\n' > sub/Makefile
  printf 'int main(void) { return 0; }\n' > sub/main.c
  seq 100 > in.txt)";

const char kWarnings[] = R"(
  for i in $(seq 30); do echo "int f$i(void) { int unused$i; return $i; }"; done > unit.c)";

}  // namespace

const std::vector<RefereeCase>& referee_cases() {
  static const std::vector<RefereeCase> cases = {
      {"dash_redirections", {"/bin/dash", corpus("redirections.sh")}},
      {"bash_redirections", {"/bin/bash", corpus("redirections.sh")}},
      {"dash_loops", {"/bin/dash", corpus("loops.sh")}},
      {"bash_loops", {"/bin/bash", corpus("loops.sh")}},
      {"bash_only", {"/bin/bash", corpus("arrays.bash")}},
      {"perl", {"/usr/bin/perl", corpus("lines.pl")}},
      {"python_print", {"/usr/bin/python3", corpus("print.py")}},
      {"python_unbuffered", {"/usr/bin/python3", "-u", corpus("print.py")}},
      {"python_children", {"/usr/bin/python3", corpus("children.py")}},
      {"node", {"/usr/bin/node", corpus("console.js")}, "", Compare::kStreams},
      {"java",
       {"/usr/bin/java", "-cp", ".", "Lines"},
       "javac -d . " + corpus("Lines.java"),
       Compare::kStreams,
       "javac"},
      {"rust",
       {"./lines"},
       "rustc -O -o lines " + corpus("lines.rs"),
       Compare::kEverything,
       "rustc"},
      {"c_stdio", {built("referee_stdio")}},
      {"cxx_streams", {built("referee_streams")}},
      {"every_call", {built("referee_every_call")}},
      {"interrupted_calls", {built("referee_interrupted")}},
      {"static_child", shell("echo before; ./unseen; echo after; exec ./unseen"),
       "gcc -O1 -static -o unseen " + corpus("unseen.c"), Compare::kAudit, "gcc"},

      {"ls", {"/bin/ls", "-R", "/usr/include", "/nonexistent"}},
      {"cat", {"/bin/cat", "numbers", "missing", "tree/1"}, kNumbers},
      {"cat_numbered", {"/bin/cat", "-n", "numbers"}, kNumbers},
      {"dd", {"/bin/dd", "if=numbers", "bs=500", "status=noxfer"}, kNumbers},
      {"cp", {"/bin/cp", "-r", "tree", "copy"}, kNumbers},
      {"sort", {"/usr/bin/sort", "-r", "numbers"}, kNumbers},
      {"grep", {"/bin/grep", "-r", "7", "tree", "missing"}, kNumbers},
      {"grep_line_buffered", {"/bin/grep", "--line-buffered", "77", "numbers"}, kNumbers},
      {"sed", {"/bin/sed", "s/1/one/g", "numbers"}, kNumbers},
      {"sed_in_place", {"/bin/sed", "-i", "-e", "s/1/one/", "-e", "w copy", "numbers"}, kNumbers},
      {"sed_unbuffered", {"/bin/sed", "-u", "-n", "1,500p", "numbers"}, kNumbers},
      {"awk",
       {"/usr/bin/awk", R"({ print; if ($1 % 100 == 0) print "hundred" > "/dev/stderr" })",
        "numbers"},
       kNumbers},
      {"tar", {"/bin/tar", "-cvf", "-", "tree"}, kNumbers},
      {"tar_extract", shell("tar -cf tree.tar tree; tar -xvf tree.tar --to-stdout"), kNumbers},
      {"head", {"/usr/bin/head", "-n", "5000", "numbers", "tree/2"}, kNumbers},
      {"tail", {"/usr/bin/tail", "-n", "5000", "numbers"}, kNumbers},
      {"wc", {"/usr/bin/wc", "numbers", "tree/1", "missing"}, kNumbers},
      {"tee", shell("tee one two < numbers; tee three < numbers >&2"), kNumbers},
      {"find", {"/usr/bin/find", "/usr/include/linux", "-print"}},
      {"xargs", shell("head -n 1000 numbers | xargs -n 100 -t echo"), kNumbers},
      {"find_exec", shell("find tree -type f -exec wc -l {} ';' -exec sh -c 'echo >&2' ';'"),
       kNumbers},

      {"git_log",
       {"/usr/bin/git", "-C", "repository", "log", "--stat", "-p"},
       kRepository,
       Compare::kEverything,
       "git"},
      {"git_commit", shell(kGitCommit), kRepository, Compare::kEverything, "git"},
      {"gcc", {"/usr/bin/gcc", "-O2", "-Wall", "-c", "unit.c"}, kWarnings},
      {"make", {"/usr/bin/make"}, kProject, Compare::kEverything, "gcc"},
  };
  return cases;
}

}  // namespace iotrace::referee
