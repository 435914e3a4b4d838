// Forks and executes /bin/true as often as the argument says: what a traced program's children cost
// to start.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  for (long i = argc > 1 ? atol(argv[1]) : 1000; i > 0; --i) {
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/true", "true", (char*)NULL);
      _exit(127);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  return 0;
}
