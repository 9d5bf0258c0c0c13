#include "models/formula.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace tutti;

TEST_CASE("letters side by side are multiplied, from left to right as by division") {
  const Quantities values{.ranks = 8, .bytes = 1000, .segments = 4, .radix = 2, .aggregation = 2, .groups = 4};
  CHECK(evaluate("(p-1)(α + mβ)", values) == Coefficients{7, 7000, 0});
  CHECK(evaluate("2 lg p α + 2(p-1)/p mβ + (p-1)/p mγ", values) == Coefficients{6, 1750, 875});
  CHECK(evaluate("(X + p-2)(α + m/X (β + γ))", values) == Coefficients{10, 2500, 2500});
  CHECK(evaluate("(lg A + p/A - 1)α", values) == Coefficients{4, 0, 0});
  CHECK(evaluate("(lg p - 2(p-1)/p + lg p/p) m β", values) == Coefficients{0, 1625, 0});
  CHECK(evaluate("(k-1) log_k p α", values) == Coefficients{3, 0, 0});
  CHECK(evaluate("(G G - p)/G/G (α - 2mβ/p)", values) == Coefficients{0.5, -125, 0});
  CHECK(evaluate("(2 sqrt G - 2)α", values) == Coefficients{2, 0, 0});
  CHECK(evaluate("(⌈X/p⌉ + 1)α", values) == Coefficients{2, 0, 0});
  CHECK(evaluate("0.5α", values) == Coefficients{0.5, 0, 0});
  CHECK(evaluate_number("2m/p", values) == 250);
}

TEST_CASE("logarithms are those of rounds, or exact") {
  Quantities values{.ranks = 9, .radix = 3};
  CHECK(evaluate("lg p α", values).rounds == 4);
  CHECK(evaluate("log_k p α", values).rounds == 2);
  values.whole_logs = false;
  CHECK(evaluate("lg p α", values).rounds == doctest::Approx(3.17).epsilon(0.001));
  for (int power = 1; power <= 30; ++power) {  // no power is a round too many
    values = {.ranks = static_cast<double>(1 << power)};
    CHECK(evaluate("lg p α", values).rounds == power);
  }
}

TEST_CASE("what is no formula is refused, with its place") {
  const Quantities values{.ranks = 8, .bytes = 1000};
  for (const char* text : {"", "(p-1", "p-1)", "α +", "αβ", "p/0 α", "q α", "X α", "k α", "lg α", "lg(p-8) α",
                           "p α + 1", "α/", "α/β", "1.α.2", "⌈p α⌉", "⌈p/3 α"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(evaluate(text, values), std::invalid_argument);
  }
  CHECK_THROWS_AS(evaluate_number("2m/p β", values), std::invalid_argument);
  CHECK_THROWS_WITH_AS(evaluate("p X α", values), "formula 'p X α', column 4: that letter has no value here",
                       std::invalid_argument);
}
