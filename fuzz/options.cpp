#include "options.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace tutti::fuzz {
namespace {

/// "bcast,gather", or all.
std::vector<Collective> collectives(std::string_view names) {
  std::vector<Collective> found;
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    const std::string listed = "," + std::string(names) + ",";
    if (names.empty() || listed.find("," + std::string(collective_names[i]) + ",") != std::string::npos)
      found.push_back(static_cast<Collective>(i));
  }
  if (!found.empty()) return found;
  std::fprintf(stderr, "tutti_fuzz: --among names no collective: %s\n", std::string(names).c_str());
  std::exit(2);
}

}  // namespace

Options parse(int argc, char** argv) {
  Options options;
  std::string_view among;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const char* value = argv[i + 1];
    if (name == "--seed")
      options.range.seed = std::strtoull(value, nullptr, 10);
    else if (name == "--cases")
      options.cases = std::atoi(value);
    else if (name == "--case")
      options.only = std::atoi(value);
    else if (name == "--limit")
      options.range.limit = std::atoll(value);
    else if (name == "--among")
      among = value;
    else if (name == "--parts") {
      const auto parts = parts_named(value);
      if (!parts) std::fprintf(stderr, "tutti_fuzz: --parts %s: name some of parts.hpp\n", value), std::exit(2);
      options.range.parts = *parts;
    } else if (name == "--patience")
      options.patience = std::atoi(value);
    else if (name == "--report")
      options.report = value;
    else {
      std::fprintf(stderr, "tutti_fuzz: unknown option %s\n", argv[i]);
      std::exit(2);
    }
  }
  options.range.collectives = collectives(among);
  return options;
}

}  // namespace tutti::fuzz
