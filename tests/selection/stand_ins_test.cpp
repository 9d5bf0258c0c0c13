#include "selection/stand_ins.hpp"

#include <doctest/doctest.h>

#include "algorithms/constraints.hpp"

using namespace tutti;

TEST_CASE("a stand-in of each collective serves every call of it") {
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    const auto which = static_cast<Collective>(i);
    const Algorithm& algorithm = stand_in(which);
    CHECK(algorithm.collective == which);
    CHECK_MESSAGE(needs(algorithm.constraints).empty(), collective_names[i]);
  }
}
