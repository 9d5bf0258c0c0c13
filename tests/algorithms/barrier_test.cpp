/// Barriers cost rounds alone: as many as the closed forms say.
#include <doctest/doctest.h>

#include "algorithms/study.hpp"
#include "patterns/power.hpp"

using namespace tutti;

namespace {

Cost cost(std::string_view algorithm, int p, int k = 0) {
  return schedule_cost(Collective::barrier, algorithm, p, 0, {{k}}, 0);
}

/// Phases of radix k that reach p ranks.
int phases(int p, int k) {
  int result = 0;
  for (int reached = 1; reached < p; reached *= k) ++result;
  return result;
}

}  // namespace

TEST_CASE("barriers, any p") {
  for (int p = 2; p <= 33; ++p) {
    CAPTURE(p);
    const std::int64_t others = p - 1, q = ceil_log2(p), f = floor_log2(p), excess = p - floor_power(p);
    CHECK(cost("linear", p) == Cost{2 * others, 0, 0, 2 * others});
    CHECK(cost("tree", p) == Cost{2 * q, 0, 0, 2 * others});
    CHECK(cost("double_ring", p) == Cost{2 * p - 1, 0, 0, 2 * p - 1});
    CHECK(cost("dissemination", p) == Cost{q, 0, 0, q * p});
    CHECK(cost("k_dissemination", p, 2) == cost("dissemination", p));
    const std::int64_t folds = excess > 0 ? 2 : 0;
    CHECK(cost("recursive_doubling", p) == Cost{f + folds, 0, 0, f * floor_power(p) + 2 * excess});
  }
}

TEST_CASE("a barrier of radix k has (k-1) log_k p rounds through one port") {
  for (int k : {2, 3, 4, 8}) {
    for (int p = k; p <= 64; p *= k) {
      CAPTURE(p);
      CHECK(cost("k_dissemination", p, k).rounds == (k - 1) * phases(p, k));
      CHECK(cost("k_dissemination", p, k).messages == p * (k - 1) * phases(p, k));
    }
  }
}
