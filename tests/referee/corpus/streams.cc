// C++ streams: cout on top of stdio and, later, by itself; cerr (unbuffered), clog, endl, file
// streams (write and writev).
#include <fstream>
#include <iostream>
#include <string>

int main() {
  for (int i = 0; i < 300; ++i) {
    std::cout << "line " << i << '\n';
    std::cerr << "error " << i << '\n';
    std::clog << "log " << i << std::endl;
  }
  std::cout << "flushed" << std::endl << std::string(200'000, 'x') << std::flush;
  std::ios::sync_with_stdio(false);
  for (int i = 0; i < 5000; ++i) std::cout << "unsynchronized " << i << '\n';
  std::ofstream file("streams.out");
  for (int i = 0; i < 5000; ++i) file << i << '\n';
  file << std::string(100'000, 'y') << std::endl;
  file.close();
  std::ofstream unbuffered;
  unbuffered.rdbuf()->pubsetbuf(nullptr, 0);
  unbuffered.open("unbuffered.out");
  unbuffered << "character by character" << 42;
  std::cout << "the last words, flushed at exit";
}
