/// What the reduce-scatters cost, against the closed forms.
#include <doctest/doctest.h>

#include "algorithms/study.hpp"
#include "patterns/power.hpp"

using namespace tutti;

namespace {

constexpr std::int64_t block = 10;

Cost cost(std::string_view algorithm, int p, int parameter = 0) {
  return schedule_cost(Collective::reduce_scatter_block, algorithm, p, 0, {{parameter}}, block);
}

}  // namespace

TEST_CASE("reduce-scatters for any p move and combine what they must, in as many rounds as they say") {
  for (int p = 2; p <= 20; ++p) {
    CAPTURE(p);
    const std::int64_t q = ceil_log2(p), f = floor_log2(p), others = p - 1, volume = others * block;
    CHECK(cost("circulant", p) == Cost{q, volume, volume, q * p});
    for (std::string_view name : {"ring", "pairwise"}) CHECK(cost(name, p) == Cost{others, volume, volume, others * p});
    for (int aggregation = 1; aggregation <= ceil_power(p); aggregation *= 2) {
      const Cost pat = cost("pat", p, aggregation);
      CHECK(pat.rounds <= floor_log2(aggregation) + ceil_power(p) / aggregation - 1);
      CHECK(pat.moved == volume);
      CHECK(pat.reduced == volume);
    }
    CHECK(cost("reduce_scatter", p) == Cost{q + others, q * p * block + volume, q * p * block, others + others});
    CHECK(cost("recursive_doubling", p).rounds <= 2 * q);
    CHECK(cost("recursive_halving", p).rounds <= f + 2);
    CHECK(cost("butterfly", p).rounds <= f + 3);
  }
}

TEST_CASE("reduce-scatters at powers of two") {
  for (int p : {2, 4, 8, 16, 32}) {
    CAPTURE(p);
    const std::int64_t q = ceil_log2(p), volume = (p - 1) * block, wanted = (q * p - 2 * (p - 1) + q) * block;
    CHECK(cost("recursive_halving", p) == Cost{q, volume, volume, q * p});
    CHECK(cost("bine", p) == Cost{q, volume, volume, q * p});
    CHECK(cost("recursive_doubling", p) == Cost{q, wanted, wanted, q * p});
    // The last message is needed but where a number reads the same in both directions.
    const Cost butterfly = cost("butterfly", p);
    CHECK(butterfly.rounds == (p == 2 ? q : q + 1));
    CHECK(butterfly.moved == volume + (p == 2 ? 0 : block));
    CHECK(butterfly.reduced == volume);
    CHECK(butterfly.messages == q * p + p - (1 << (q + 1) / 2));
  }
}

TEST_CASE("a reduce-scatter of k at a time moves no more, in (k-1) log_k p messages a rank") {
  for (int radix : {2, 3, 4, 8})
    for (int p = radix, digits = 1; p <= 64; p *= radix, ++digits) {
      CAPTURE(radix);
      CAPTURE(p);
      const std::int64_t messages = (radix - 1) * digits, volume = (p - 1) * block;
      CHECK(cost("recursive_exchange", p, radix) == Cost{messages, volume, volume, messages * p});
    }
  CHECK(cost("recursive_exchange", 13, 2).rounds == 3 + 2);
  CHECK(cost("recursive_exchange", 13, 3).rounds == 2 * 2 + 2 * 2);
}
