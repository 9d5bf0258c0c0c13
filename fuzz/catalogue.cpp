/// Prints what the fuzzer's driver forces in turn, a line a spec: collective, algorithm, spec.  An algorithm with
/// parameters has two: its defaults, and small values, at which short messages too are cut and trees are odd.
#include "algorithms/catalogue.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace {

std::string with_small_values(const tutti::Algorithm& entry) {
  std::string spec(entry.name);
  const char* before = "(";
  for (const tutti::ParameterInfo& parameter : entry.parameters) {
    const bool bytes = parameter.kind == tutti::ParameterInfo::Kind::segment;
    const long long small = bytes ? parameter.least : std::clamp(3LL, parameter.least, parameter.most);
    spec += before + std::string(parameter.name) + "=" + std::to_string(small);
    before = ",";
  }
  return spec + ")";
}

}  // namespace

int main() {
  for (const tutti::Algorithm& entry : tutti::catalogue()) {
    const std::string collective(tutti::name(entry.collective)), algorithm(entry.name);
    std::printf("%s %s %s\n", collective.c_str(), algorithm.c_str(), algorithm.c_str());
    if (!entry.parameters.empty())
      std::printf("%s %s %s\n", collective.c_str(), algorithm.c_str(), with_small_values(entry).c_str());
  }
}
