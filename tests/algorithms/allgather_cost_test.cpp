/// What the allgathers cost, against the closed forms.
#include <doctest/doctest.h>

#include "algorithms/study.hpp"
#include "patterns/power.hpp"

using namespace tutti;

namespace {

constexpr std::int64_t block = 10;

Cost cost(std::string_view algorithm, int p, int parameter = 0) {
  return schedule_cost(Collective::allgather, algorithm, p, 0, {{parameter}}, block);
}

int log_of(int radix, int p) {
  int digits = 0;
  for (; p > 1; p /= radix) ++digits;
  return digits;
}

}  // namespace

TEST_CASE("allgathers for any p move what they must, in as many rounds as they say") {
  for (int p = 2; p <= 20; ++p) {
    CAPTURE(p);
    const std::int64_t q = ceil_log2(p), others = p - 1;
    for (std::string_view name : {"bruck", "circulant", "sparbit"})
      CHECK(cost(name, p) == Cost{q, others * block, 0, q * p});
    CHECK(cost("gather_bcast", p) == Cost{2 * q, (others + q * p) * block, 0, 2 * others});
    for (int radix : {2, 3, 4, 19}) CHECK(cost("k_bruck", p, radix).moved == others * block);
    for (int window : {1, 4, 50}) CHECK(cost("direct", p, window) == Cost{others, others * block, 0, others * p});
    for (int group : {1, p, 2 * p}) CHECK(cost("k_ring", p, group) == Cost{others, others * block, 0, others * p});
    for (int aggregation = 1; aggregation <= ceil_power(p); aggregation *= 2) {
      const std::int64_t rounds = floor_log2(aggregation) + ceil_power(p) / aggregation - 1;
      CHECK(cost("pat", p, aggregation).rounds <= rounds);
      CHECK(cost("pat", p, aggregation).moved == others * block);
    }
  }
}

TEST_CASE("powers of the radix take no fold") {
  for (const auto& [radix, p] : {std::pair{2, 16}, {3, 9}, {3, 27}, {4, 16}, {5, 5}}) {
    CAPTURE(p);
    const std::int64_t rounds = (radix - 1) * log_of(radix, p);
    CHECK(cost("k_bruck", p, radix) == Cost{rounds, (p - 1) * block, 0, rounds * p});
    CHECK(cost("recursive_exchange", p, radix) == Cost{rounds, (p - 1) * block, 0, rounds * p});
  }
  CHECK(cost("recursive_exchange", 13, 2).rounds == 3 + 2);
  CHECK(cost("recursive_exchange", 13, 3).rounds == 2 * 2 + 2 * 2);
}

TEST_CASE("even numbers of ranks, and odd ones with one rank folded away") {
  for (int p = 2; p <= 20; p += 2) {
    CAPTURE(p);
    CHECK(cost("neighbour_exchange", p) == Cost{p / 2, (p - 1) * block, 0, p / 2 * p});
    CHECK(cost("neighbour_exchange", p + 1).rounds == p / 2 + 2);
    CHECK(cost("bine", p).rounds == ceil_log2(p));
    CHECK(cost("bine", p + 1).rounds == ceil_log2(p) + 2);
  }
  for (int p : {2, 4, 8, 16, 32}) {
    CHECK(cost("bine", p) == Cost{ceil_log2(p), (p - 1) * block, 0, ceil_log2(p) * p});
    CHECK(cost("pat", p, 4).rounds == (p < 4 ? ceil_log2(p) : 2 + p / 4 - 1));
  }
}

TEST_CASE("a ring of rings, k dividing p") {
  for (const auto& [group, p] : {std::pair{2, 8}, {3, 12}, {4, 12}, {5, 20}})
    CHECK(cost("k_ring", p, group) == Cost{p - 1, (p - 1) * block, 0, (p - 1) * p});
}

TEST_CASE("blocks in parts over a circulant graph: one large block is pipelined") {
  for (int p : {2, 5, 8, 17}) {
    for (int parts : {1, 2, 5, 10}) {
      CAPTURE(p);
      CAPTURE(parts);
      const std::int64_t rounds = parts - 1 + ceil_log2(p);
      const Parameters parameters{{parts}};
      const auto cost = schedule_cost(Collective::allgatherv, "circulant_n_block", p, 0, parameters, block);
      CHECK(cost.rounds == rounds);
      CHECK(cost.moved >= (p - 1) * block);
      CHECK(cost.moved <= rounds * (p - 1) * block / parts);
      CHECK(cost.messages == rounds * p);
    }
  }
}
