#include "analysis/expressions.hpp"

#include <doctest/doctest.h>

using namespace tutti;

TEST_CASE("ordered operands are runs of ranks that meet") {
  Expressions values(100, true);
  const Expression low = values.combine(values.of(63), values.of(64));
  CHECK(values.is(low, 63, 65));
  CHECK(values.to_text(low) == "ranks 63..64");
  CHECK(values.combine(values.of(64), values.of(63)) < 0);
  CHECK(values.complaint() == "out of order: rank 64 on the left of rank 63");
  CHECK(values.combine(low, values.of(66)) < 0);
}

TEST_CASE("without order, each contribution still counts once") {
  Expressions values(70, false);
  const Expression both = values.combine(values.of(69), values.of(2));
  CHECK(values.to_text(both) == "ranks 2, 69");
  CHECK_FALSE(values.is(both, 2, 70));
  CHECK(values.combine(both, values.of(69)) < 0);
  CHECK(values.complaint().starts_with("the contribution of rank 69 would count twice"));
}

TEST_CASE("equal numbers mean equal bracketings") {
  Expressions values(4, true);
  const Expression left = values.combine(values.combine(values.of(0), values.of(1)), values.of(2));
  const Expression right = values.combine(values.of(0), values.combine(values.of(1), values.of(2)));
  CHECK(left != right);
  CHECK(values.is(left, 0, 3));
  CHECK(values.is(right, 0, 3));
  CHECK(left == values.combine(values.combine(values.of(0), values.of(1)), values.of(2)));
}

TEST_CASE("what has been made of all that comes in any order is known") {
  Expressions values(5, false);
  const Expression pair = values.combine(values.of(1), values.of(2));
  const std::vector<Expression> brought{pair, values.of(3), values.of(4)};
  const auto turn = [&](int i) { return values.arrival(0, 2, i, brought); };
  const Expression two = values.combine(values.combine(values.of(0), turn(1)), turn(2));
  CHECK_FALSE(values.is(two, 0, 5));
  CHECK(values.to_text(two) == "rank 0 and 2 of the 3 messages to rank 0 in any order");
  CHECK(values.is(values.combine(two, turn(0)), 0, 5));
  CHECK(values.combine(two, turn(1)) < 0);  // the same message again
  CHECK(values.complaint().starts_with("what comes to rank 0 would count twice"));
  CHECK(turn(1) != values.arrival(1, 2, 1, brought));  // another rank gets them in another order
  CHECK(values.arrival(0, 0, 1, {pair, pair}) == pair);
}

TEST_CASE("what comes in any order may bring what has come in any order") {
  Expressions values(5, false);
  const std::vector<Expression> leaves{values.of(2), values.of(3)};
  const Expression first = values.arrival(1, 0, 0, leaves), second = values.arrival(1, 0, 1, leaves);
  const std::vector<Expression> brought{first, values.combine(values.of(1), second), values.of(4)};
  Expression all = values.of(0);
  for (const int turn : {2, 0, 1}) all = values.combine(all, values.arrival(0, 0, turn, brought));
  CHECK(values.is(all, 0, 5));
  const std::vector<Expression> twice{first, first, values.of(1)};
  Expression sum = values.of(0);
  for (const int turn : {0, 1, 2}) sum = sum < 0 ? sum : values.combine(sum, values.arrival(0, 1, turn, twice));
  CHECK(sum < 0);
}

TEST_CASE("operands that come in any order are out of order") {
  Expressions values(3, true);
  const std::vector<Expression> brought{values.of(1), values.of(2)};
  CHECK(values.combine(values.of(0), values.arrival(0, 0, 0, brought)) < 0);
  CHECK(values.complaint().starts_with("out of order: rank 0 on the left of 1 of the 2 messages to rank 0"));
  CHECK(values.is(values.combine(values.of(0), values.arrival(0, 0, 0, {values.of(1)})), 0, 2));
}

TEST_CASE("tokens join whatever they have heard") {
  Expressions values(3, true);
  const Expression two = values.join(values.of(2), values.of(0));
  CHECK(values.is(values.join(two, values.join(values.of(1), two)), 0, 3));
}
