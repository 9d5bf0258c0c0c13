#include "algorithms/catalogue.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "algorithms/study.hpp"

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
  for (const auto& [first, last] : {std::pair{1, 17}, {31, 33}, {64, 64}, {100, 100}}) {
    const SurveyResult result = verify_catalogue({.first = first, .last = last, .collective = {}, .algorithm = {}});
    if (result.fault) FAIL(to_text(*result.subject) << "\n" << to_text(*result.fault));
    CHECK(result.proved > 60 * (last - first + 1));
  }
}
