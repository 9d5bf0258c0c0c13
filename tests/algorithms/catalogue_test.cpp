#include "algorithms/catalogue.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <set>
#include <string>

#include "algorithms/survey.hpp"
#include "sanitized.hpp"

using namespace tutti;

TEST_CASE("the catalogue is ordered, documented and without duplicates") {
  std::set<std::string> seen;
  auto last = Collective::barrier;
  for (const Algorithm& algorithm : catalogue()) {
    CAPTURE(algorithm.name);
    CHECK(algorithm.collective >= last);
    last = algorithm.collective;
    CHECK(seen.insert(std::string(name(algorithm.collective)) + " " + std::string(algorithm.name)).second);
    CHECK(find_algorithm(algorithm.collective, algorithm.name) == &algorithm);
    CHECK_FALSE(algorithm.cost.empty());
    CHECK_FALSE(algorithm.source.text.empty());
    CHECK(algorithm.parameters.size() <= Parameters{}.values.size());
  }
  CHECK(find_algorithm(Collective::bcast, "bruck") == nullptr);
}

TEST_CASE("every collective has an algorithm") {
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    CAPTURE(collective_names[i]);
    const auto all = catalogue();
    CHECK(std::any_of(all.begin(), all.end(),
                      [&](const Algorithm& entry) { return entry.collective == static_cast<Collective>(i); }));
  }
}

TEST_CASE("every operator that keeps no order has an alternative that does") {
  for (const Algorithm& algorithm : catalogue()) {
    if (!algorithm.constraints.commutative) continue;
    CAPTURE(algorithm.name);
    const auto all = catalogue();
    CHECK(std::any_of(all.begin(), all.end(), [&](const Algorithm& other) {
      return other.collective == algorithm.collective && !other.constraints.commutative;
    }));
  }
}

TEST_CASE("the whole catalogue is right, for all p to 17 and some beyond, all roots to 9") {
  std::vector<int> sizes(sanitized ? 6 : 17);
  std::iota(sizes.begin(), sizes.end(), 1);
  sizes.insert(sizes.end(), {31, 32, 33, 64, 100});
  if (sanitized) sizes.resize(8);
  const SurveyResult result =
      verify_catalogue({.sizes = sizes,
                        .collective = {},
                        .algorithm = {},
                        .thoroughness = {.all_roots_to = sanitized ? 4 : 9, .all_values_to = sanitized ? 6 : 12}});
  if (result.fault) FAIL(to_text(*result.subject) << "\n" << to_text(*result.fault));
  CHECK(result.proved > (sanitized ? 1000 : 5000));
}
