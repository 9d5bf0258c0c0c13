/// What the exchanges of all with all cost, against the closed forms, and how they are made of each other.
#include <doctest/doctest.h>

#include "algorithms/study.hpp"
#include "patterns/power.hpp"

using namespace tutti;

namespace {

constexpr std::int64_t block = 10;

Cost cost(std::string_view algorithm, int p, int parameter = 0) {
  return schedule_cost(Collective::alltoall, algorithm, p, 0, {{parameter}}, block);
}

}  // namespace

TEST_CASE("every block straight to its place, any p") {
  for (int p = 2; p <= 33; ++p) {
    CAPTURE(p);
    const std::int64_t others = p - 1;
    CHECK(cost("linear", p) == Cost{2 * p - 3, (2 * p - 3) * block, 0, others * p});
    CHECK(cost("pairwise", p) == Cost{others, others * block, 0, others * p});
    for (int window : {1, 3, 32}) CHECK(cost("staggered", p, window) == cost("pairwise", p));
    CHECK(cost("xor", p).messages == others * p);
    CHECK(cost("xor", p).rounds <= ceil_power(p) - 1);
  }
}

TEST_CASE("powers of two") {
  for (int p : {2, 4, 8, 16, 32}) {
    CAPTURE(p);
    const std::int64_t q = floor_log2(p), others = p - 1;
    CHECK(cost("xor", p) == cost("pairwise", p));
    CHECK(cost("recursive_doubling", p) == Cost{q, others * p * block, 0, q * p});
    CHECK(cost("bruck", p) == Cost{q, q * p / 2 * block, 0, q * p});
    CHECK(cost("circulant", p) == cost("bruck", p));
  }
}

TEST_CASE("Bruck's hops by other radices: fewer blocks on the way in more messages") {
  for (int p = 2; p <= 33; ++p) CHECK(cost("k_bruck", p, 2) == cost("bruck", p));
  CHECK(cost("bruck", 64) == Cost{6, 192 * block, 0, 6 * 64});
  CHECK(cost("k_bruck", 64, 4) == Cost{9, 144 * block, 0, 9 * 64});
  CHECK(cost("k_bruck", 32, 32) == cost("pairwise", 32));
}

TEST_CASE("the circulant graph's hops move no more than Bruck's") {
  for (int p = 2; p <= 64; ++p) {
    CAPTURE(p);
    CHECK(cost("circulant", p).rounds == ceil_log2(p));
    CHECK(cost("circulant", p).moved <= cost("bruck", p).moved);
  }
  CHECK(cost("bruck", 17).moved == 33 * block);
  CHECK(cost("circulant", 17).moved == 30 * block);
  CHECK(cost("bruck", 33).moved == 81 * block);
  CHECK(cost("circulant", 33).moved == 73 * block);
}
