/// Prints "collective algorithm", a line an entry: what the fuzzer's driver forces in turn.
#include "algorithms/catalogue.hpp"

#include <cstdio>
#include <string>

int main() {
  for (const tutti::Algorithm& entry : tutti::catalogue())
    std::printf("%s %s\n", std::string(tutti::name(entry.collective)).c_str(), std::string(entry.name).c_str());
}
