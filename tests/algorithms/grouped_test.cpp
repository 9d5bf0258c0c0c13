#include "algorithms/grouped/grouped.hpp"

#include <doctest/doctest.h>

#include <set>

#include "algorithms/survey.hpp"
#include "core/count.hpp"
#include "core/program.hpp"

using namespace tutti;
using enum Collective;

namespace {

constexpr std::int64_t m = 1 << 10;

Cost cost(const Algorithm& algorithm, int size, const Parameters& parameters, Rank root = 0) {
  return count(Subject{&algorithm, size, root, parameters, {m}}.problem(), algorithm.schedule);
}

}  // namespace

TEST_CASE("compositions in groups are right, for all p to 9 and some beyond") {
  const SurveyResult result = verify_catalogue({.sizes = {1, 2, 3, 4, 5, 6, 7, 9, 12, 17},
                                                .collective = {},
                                                .algorithm = "groups",
                                                .thoroughness = {.all_roots_to = 7, .all_values_to = 5}});
  if (result.fault) FAIL(to_text(*result.subject) << "\n" << to_text(*result.fault));
  CHECK(result.proved > 5000);
}
