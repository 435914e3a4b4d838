// Measures what tracing costs and prints a markdown table: `bench [--quick] [--runs N] [--list]
// [JOB...]`. Exits with 0 whatever the figures are: on a shared machine a timing is something to
// look at, not a test.
#include <getopt.h>

#include <cstdlib>
#include <exception>
#include <iostream>

#include "tests/benchmarks/jobs.h"
#include "tests/benchmarks/machine.h"

namespace {

using namespace iotrace::bench;

constexpr char kUsage[] = "usage: bench [--quick] [--runs N] [--list] [JOB...]\n";

struct Options {
  Effort effort;
  std::vector<Job> jobs;
};

void list_jobs() {
  for (const Job& job : all_jobs()) std::cout << job.name << ": " << job.what << '\n';
}

[[noreturn]] void refuse(const std::string& why) {
  std::cerr << "bench: " << why << '\n' << kUsage;
  std::exit(2);
}

const Job& job_named(const std::string& name) {
  for (const Job& job : all_jobs()) {
    if (job.name == name) return job;
  }
  refuse("no job '" + name + "' (see --list)");
}

Options parse(int argc, char** argv) {
  static const option kOptions[] = {{"quick", no_argument, nullptr, 'q'},
                                    {"runs", required_argument, nullptr, 'r'},
                                    {"list", no_argument, nullptr, 'l'},
                                    {"help", no_argument, nullptr, 'h'},
                                    {nullptr, 0, nullptr, 0}};
  Options options;
  for (int letter; (letter = getopt_long(argc, argv, "", kOptions, nullptr)) != -1;) {
    if (letter == 'q') {
      options.effort.quick = true;
    } else if (letter == 'r') {
      options.effort.pairs = std::atoi(optarg);
      if (options.effort.pairs < 1) refuse("--runs needs a number above 0");
    } else if (letter == 'l') {
      list_jobs();
      std::exit(0);
    } else if (letter == 'h') {
      std::cout << kUsage;
      std::exit(0);
    } else {
      std::cerr << kUsage;
      std::exit(2);
    }
  }
  if (options.effort.pairs == 0) options.effort.pairs = options.effort.quick ? 3 : 11;
  for (int i = optind; i < argc; ++i) options.jobs.push_back(job_named(argv[i]));
  if (options.jobs.empty()) options.jobs = all_jobs();
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  std::vector<Figure> figures;
  std::cout << describe_machine() << "; " << options.effort.pairs
            << " pairs of runs a job, medians\n\n";
  for (const Job& job : options.jobs) {
    std::cerr << job.name << "...\n";
    try {
      for (Figure& figure : job.run(job, options.effort)) figures.push_back(std::move(figure));
    } catch (const std::exception& error) {
      std::cerr << job.name << " could not be measured: " << error.what() << '\n';
    }
  }
  print_table(figures, std::cout);
  return 0;
}
