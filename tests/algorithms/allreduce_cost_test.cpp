/// What the allreduces cost, against the closed forms.
#include <doctest/doctest.h>

#include "algorithms/study.hpp"
#include "patterns/power.hpp"

using namespace tutti;

namespace {

/// A vector that divides into the parts of any p below 18, and into segments.
constexpr std::int64_t m = 720720 * 17 * 4;

Cost cost(std::string_view algorithm, int p, int parameter = 0) {
  return schedule_cost(Collective::allreduce, algorithm, p, 0, {{parameter}}, m);
}

}  // namespace

TEST_CASE("allreduces for any p") {
  for (int p = 2; p <= 17; ++p) {
    CAPTURE(p);
    const std::int64_t q = ceil_log2(p), others = p - 1, part = m / p;
    CHECK(cost("reduce_bcast", p) == Cost{2 * q, 2 * q * m, q * m, 2 * others});
    CHECK(cost("circulant", p) == Cost{2 * q, 2 * others * part, others * part, 2 * q * p});
    for (int segments : {1, 2, 4}) {
      const Cost ring = cost("segmented_ring", p, segments * p);
      CHECK(ring.rounds == (segments + 1) * others);
      CHECK(ring.moved == 2 * others * part);
      CHECK(ring.reduced == others * part);
    }
    for (int segments : {2, 8, 64}) {
      const Cost trees = cost("double_binary_tree", p, segments);
      CHECK(trees.rounds <= 2 * (2 * q + segments));
      CHECK(trees.moved <= 2 * (2 * q + segments) * (m / segments));
    }
  }
}

TEST_CASE("allreduces at powers of two") {
  for (int p : {2, 4, 8, 16}) {
    CAPTURE(p);
    const std::int64_t q = ceil_log2(p), others = p - 1, part = m / p;
    for (std::string_view name : {"bine", "swing", "rabenseifner"})
      CHECK(cost(name, p) == Cost{2 * q, 2 * others * part, others * part, 2 * q * p});
  }
}

TEST_CASE("allreduces at powers of the radix, and beyond") {
  for (std::string_view name : {"recursive_exchange", "recursive_multiplying"}) {
    CHECK(cost(name, 16, 2) == Cost{4, 4 * m, 4 * m, 4 * 16});
    CHECK(cost(name, 16, 4) == Cost{6, 6 * m, 6 * m, 6 * 16});
    CHECK(cost(name, 9, 3) == Cost{4, 4 * m, 4 * m, 4 * 9});
    CHECK(cost(name, 5, 5) == Cost{4, 4 * m, 4 * m, 4 * 5});
  }
  // Two neighbours fold into each of the first three of nine, or one of six ranks into each of the first six.
  CHECK(cost("recursive_exchange", 15, 3).rounds == 4 + 2 * 2);
  CHECK(cost("recursive_multiplying", 15, 3).rounds == 4 + 2);
}

TEST_CASE("even numbers of ranks swing as they are, odd ones fold one rank away") {
  for (int p = 2; p <= 16; p += 2) {
    CAPTURE(p);
    CHECK(cost("swing", p).rounds == 2 * ceil_log2(p));
    CHECK(cost("swing", p + 1).rounds == 2 * ceil_log2(p) + 4);
  }
}
