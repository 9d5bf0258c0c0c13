#include "core/expressions.hpp"

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

TEST_CASE("tokens join whatever they have heard") {
  Expressions values(3, true);
  const Expression two = values.join(values.of(2), values.of(0));
  CHECK(values.is(values.join(two, values.join(values.of(1), two)), 0, 3));
}
