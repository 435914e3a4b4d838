// Victim: C++ streams: 10 lines ended by endl on cout, 3 on cerr, and with an argument 5 lines in
// that file.
#include <fstream>
#include <iostream>

int main(int argc, char** argv) {
  for (int i = 0; i < 10; ++i) std::cout << "line " << i << std::endl;
  for (int i = 0; i < 3; ++i) std::cerr << "error\n";
  if (argc > 1) {
    std::ofstream file(argv[1]);
    for (int i = 0; i < 5; ++i) file << "line " << i << std::endl;
  }
  return 0;
}
