/// Prints what the fuzzer's driver forces in turn, a line a spec: collective, algorithm, spec.  An algorithm with
/// parameters has two: its defaults, and small values, at which short messages too are cut and trees are odd.  Groups
/// have as many as it takes for every algorithm to stand between groups, and inside.  With `variants` as its argument:
/// the node engine's instead, in the same three words.
#include "algorithms/catalogue.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "algorithms/grouped/grouped.hpp"
#include "shm/variants/variants.hpp"

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
  return entry.parameters.empty() ? spec : spec + ")";
}

/// Compositions in groups, all under one name: few ranks make two or three groups.
void print_groups(tutti::Collective collective) {
  const std::string name(tutti::name(collective));
  const auto between = tutti::between_groups(collective), inside = tutti::inside_groups(collective);
  for (std::size_t i = 0; i < std::max(between.size(), inside.size()); ++i) {
    const std::string outer =
        i % 2 == 0 ? std::string(between[i % between.size()]->name) : with_small_values(*between[i % between.size()]);
    const std::string inner =
        i % 3 == 0 ? std::string(inside[i % inside.size()]->name) : with_small_values(*inside[i % inside.size()]);
    std::printf("%s groups groups(%d,outer=%s,inner=%s)\n", name.c_str(), static_cast<int>(i % 2) + 2, outer.c_str(),
                inner.c_str());
  }
}

void print_variants() {
  for (std::size_t i = 0; i < tutti::collective_names.size(); ++i)
    for (const tutti::shm::VariantRow& row : tutti::shm::variants())
      if (row.serves(static_cast<tutti::Collective>(i))) {
        const std::string collective(tutti::collective_names[i]), variant(row.name);
        std::printf("%s %s node(variant=%s)\n", collective.c_str(), variant.c_str(), variant.c_str());
      }
}

}  // namespace

int main(int count, char** words) {
  if (count > 1 && std::string_view(words[1]) == "variants") return print_variants(), 0;
  for (const tutti::Algorithm& entry : tutti::catalogue()) {
    const std::string collective(tutti::name(entry.collective)), algorithm(entry.name);
    std::printf("%s %s %s\n", collective.c_str(), algorithm.c_str(), algorithm.c_str());
    if (!entry.parameters.empty())
      std::printf("%s %s %s\n", collective.c_str(), algorithm.c_str(), with_small_values(entry).c_str());
  }
  for (std::size_t i = 0; i < tutti::collective_names.size(); ++i)
    if (const auto collective = static_cast<tutti::Collective>(i); tutti::has_groups(collective))
      print_groups(collective);
}
