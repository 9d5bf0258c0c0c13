/// What the prefix sums cost, against the closed forms.
#include <doctest/doctest.h>

#include <algorithm>

#include "algorithms/study.hpp"
#include "patterns/power.hpp"

using namespace tutti;

namespace {

constexpr std::int64_t m = 60;

Cost scan(std::string_view algorithm, int p, int segments = 0) {
  return schedule_cost(Collective::scan, algorithm, p, 0, {{segments}}, m);
}
Cost exscan(std::string_view algorithm, int p, int segments = 0) {
  return schedule_cost(Collective::exscan, algorithm, p, 0, {{segments}}, m);
}

/// The rounds of Träff 2025: as many distances 1, 2, 3, 6, 12, … as rank p-1 needs to hear of all before it.
int rounds_123(int p) {
  int rounds = 0;
  for (int known = 0; known < p - 1; ++rounds) known = rounds == 0 ? 1 : rounds == 1 ? 3 : 2 * known;
  return rounds;
}

}  // namespace

TEST_CASE("chains: X + p - 2 messages of m / X") {
  for (int p = 2; p <= 17; ++p) {
    CAPTURE(p);
    const std::int64_t others = p - 1;
    CHECK(scan("linear", p) == Cost{others, others * m, others * m, others});
    CHECK(exscan("linear", p) == Cost{others, others * m, (p - 2) * m, others});
    for (int segments : {2, 5, 20}) {
      const std::int64_t steps = segments + p - 2, length = m / segments;
      CHECK(scan("pipelined_chain", p, segments) == Cost{steps, steps * length, steps * length, segments * others});
      CHECK(exscan("pipelined_chain", p, segments).rounds == steps);
      CHECK(exscan("pipelined_chain", p, segments).moved == steps * length);
    }
  }
}

TEST_CASE("logarithmic scans, any p") {
  for (int p = 2; p <= 33; ++p) {
    CAPTURE(p);
    const std::int64_t q = ceil_log2(p);
    CHECK(scan("simultaneous", p).rounds == q);
    CHECK(scan("simultaneous", p).moved == q * m);
    CHECK(scan("simultaneous", p).reduced == q * m);
    CHECK(scan("up_down_sweep", p).rounds <= 2 * q - 1);
    CHECK(scan("up_down_sweep", p).messages < 2 * p);
    if (p < 3) continue;
    CHECK(exscan("simultaneous", p).rounds == 1 + ceil_log2(p - 1));
    CHECK(exscan("up_down_sweep", p).rounds <= 2 * ceil_log2(p - 1));
    CHECK(exscan("doubling_123", p).rounds == rounds_123(p));
    CHECK(exscan("doubling_123", p).rounds <= exscan("simultaneous", p).rounds);
    CHECK(exscan("doubling_123", p).reduced <= exscan("doubling_123", p).rounds * m);
  }
}

TEST_CASE("powers of two") {
  for (int p : {2, 4, 8, 16, 32}) {
    CAPTURE(p);
    const std::int64_t q = floor_log2(p), sums = std::max<std::int64_t>(1, 2 * q - 2);
    CHECK(scan("up_down_sweep", p) == Cost{2 * q - 1, (2 * q - 1) * m, sums * m, 2 * p - 2 - q});
  }
}
