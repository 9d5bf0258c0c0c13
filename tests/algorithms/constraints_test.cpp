#include "algorithms/constraints.hpp"

#include <doctest/doctest.h>

using namespace tutti;

TEST_CASE("no constraint, no need, no obstacle") {
  CHECK(needs({}).empty());
  CHECK(obstacle({}, {.ranks = 1, .equal_blocks = false, .commutative = false, .count = 0}) == "");
}

TEST_CASE("each constraint says what it needs and what stands in the way") {
  const Constraints all{
      .commutative = true, .power_of_two = true, .even = true, .regular = true, .least_ranks = 4, .least_count = 10};
  CHECK(needs(all) == std::vector<std::string>{"a commutative operator", "a power of two of ranks",
                                               "an even number of ranks", "equal blocks", "at least 4 ranks",
                                               "at least 10 elements"});
  CHECK(obstacle({.power_of_two = true}, {.ranks = 6}) == "6 ranks are not a power of two");
  CHECK(obstacle({.power_of_two = true}, {.ranks = 8}) == "");
  CHECK(obstacle({.power_of_two = true}, {.ranks = 1}) == "");
  CHECK(obstacle({.even = true}, {.ranks = 7}) == "7 ranks are not an even number");
  CHECK(obstacle({.even = true}, {.ranks = 1}) == "1 rank is not an even number");
  CHECK(obstacle({.least_ranks = 4}, {.ranks = 3}) == "3 ranks are fewer than 4");
  CHECK(obstacle({.regular = true}, {.ranks = 2, .equal_blocks = false}) == "the ranks' blocks may differ in size");
  CHECK(obstacle({.power_of_two = true}, {.ranks = 3, .who = "node"}) == "3 nodes are not a power of two");
  CHECK(obstacle({.regular = true}, {.ranks = 2, .equal_blocks = false, .who = "node"}) ==
        "the nodes' blocks may differ in size");
  CHECK(obstacle({.commutative = true}, {.ranks = 2, .commutative = false}) == "the operator is not commutative");
  CHECK(needs({.by_arrival = true}) == std::vector<std::string>{"leave to combine operands as they arrive"});
  CHECK(obstacle({.by_arrival = true}, {.ranks = 2}) == "");
  CHECK(obstacle({.by_arrival = true}, {.ranks = 2, .reproducible = true}) ==
        "operands meet in the order in which they arrive");
  CHECK(obstacle({.least_count = 10}, {.ranks = 2, .count = 9}) == "it needs at least 10 elements");
  CHECK(obstacle({.least_count = 10}, {.ranks = 2, .count = 10}) == "");
  CHECK(obstacle({.least_count = 10}, {.ranks = 2}) == "");  // not known: the schedule is right for any count
  CHECK(obstacle(all, {.ranks = 8, .count = 10}) == "");
}
