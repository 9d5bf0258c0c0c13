/// The verifier's own test: mistakes, planted one at a time in every schedule, are found.  The long form:
/// seeded_faults.
#include "seeding.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace tutti::faults;

TEST_CASE("mistakes of every kind are found, but for those that change nothing") {
  const Harvest harvest = sow({.each = 2});
  CHECK(harvest.tallies.size() >= 25);
  for (const Tally& tally : harvest.tallies) {
    CAPTURE(tally.mistake);
    CHECK(tally.planted > 0);
  }
  CHECK(harvest.planted() > 5000);
  CHECK(100 * harvest.caught() >= 99 * harvest.planted());
  CHECK(harvest.survivors.size() == static_cast<std::size_t>(harvest.planted() - harvest.caught()));
  for (const Survivor& survivor : harvest.survivors) {
    CAPTURE(survivor.mistake);
    CAPTURE(survivor.where);
    CAPTURE(survivor.reason);
    CHECK(survivor.harmless);
    CHECK_FALSE(survivor.reason.empty());
  }
}

TEST_CASE("kinds have names of their own") {
  std::set<std::string_view> names;
  for (const Mistake& mistake : mistakes()) CHECK(names.insert(mistake.name).second);
}
