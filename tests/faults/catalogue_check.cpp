/// Proves the catalogue for a few ranks, as tests/faults/planted.py wants it: fast.  Prints the first fault; status 1.
#include <cstdio>

#include "algorithms/subjects.hpp"

int main() {
  using namespace tutti;
  try {
    for (const Algorithm& algorithm : catalogue())
      for (const int size : {1, 2, 3, 4, 5})
        for (const Subject& subject : subjects_of(algorithm, size, {.all_roots_to = 3, .all_values_to = 3}))
          if (const auto fault = verify(subject)) {
            std::printf("fault: %s\n", to_text(subject).c_str());
            return 1;
          }
  } catch (const std::exception& error) {
    std::printf("fault: %s\n", error.what());
    return 1;
  }
  std::printf("proven\n");
  return 0;
}
