/// What the schedules cost, against the closed forms.
#include <doctest/doctest.h>

#include <algorithm>

#include "algorithms/study.hpp"
#include "patterns/power.hpp"

using namespace tutti;

namespace {

/// A vector that divides into the parts of any p below 18, and a block.
constexpr std::int64_t m = 720720 * 17, block = 10;

Cost cost(Collective collective, std::string_view algorithm, int p, std::int64_t elements, Parameters parameters = {}) {
  return schedule_cost(collective, algorithm, p, 0, parameters, elements);
}

}  // namespace

TEST_CASE("any p") {
  using enum Collective;
  for (int p = 2; p <= 17; ++p) {
    CAPTURE(p);
    const std::int64_t q = ceil_log2(p), others = p - 1, part = m / p;
    CHECK(cost(barrier, "dissemination", p, 0) == Cost{q, 0, 0, q * p});
    CHECK(cost(bcast, "binomial", p, m) == Cost{q, q * m, 0, others});
    CHECK(cost(reduce, "binomial", p, m) == Cost{q, q * m, q * m, others});
    CHECK(cost(reduce, "binomial_in_order", p, m) == Cost{q, q * m, q * m, others});
    CHECK(cost(gather, "binomial", p, block) == Cost{q, others * block, 0, others});
    CHECK(cost(scatter, "binomial", p, block) == Cost{q, others * block, 0, others});
    // Sizes travel along: no further message, and they are not elements.
    CHECK(cost(gatherv, "binomial", p, block) == cost(gather, "binomial", p, block));
    CHECK(cost(scatterv, "binomial", p, block) == cost(scatter, "binomial", p, block));
    CHECK(cost(gather, "linear", p, block) == Cost{others, others * block, 0, others});
    CHECK(cost(scatter, "linear", p, block) == Cost{others, others * block, 0, others});
    CHECK(cost(allgather, "ring", p, block) == Cost{others, others * block, 0, others * p});
    CHECK(cost(allgather, "bruck", p, block) == Cost{q, others * block, 0, q * p});
    CHECK(cost(alltoall, "pairwise", p, block) == Cost{others, others * block, 0, others * p});
    CHECK(cost(reduce_scatter, "pairwise", p, block) == Cost{others, others * block, others * block, others * p});
    CHECK(cost(allreduce, "ring", p, m) == Cost{2 * others, 2 * others * part, others * part, 2 * others * p});
    CHECK(cost(bcast, "scatter_ring_allgather", p, m).rounds <= q + others);
    CHECK(cost(bcast, "scatter_ring_allgather", p, m).moved <= 2 * others * part);
    CHECK(cost(scan, "recursive_doubling", p, m).rounds == q);
    CHECK(cost(scan, "recursive_doubling", p, m).reduced <= 2 * q * m);
    CHECK(cost(exscan, "recursive_doubling", p, m).rounds == q);
  }
}

TEST_CASE("a segmented chain: X + p - 2 messages of m / X") {
  for (int p : {2, 3, 8}) {
    for (int segments : {1, 4, 20}) {
      const std::int64_t steps = segments + p - 2;
      const Cost expected{steps, steps * (m / segments), 0, static_cast<std::int64_t>(segments) * (p - 1)};
      CHECK(cost(Collective::bcast, "pipelined_chain", p, m, {{segments}}) == expected);
    }
  }
}

TEST_CASE("powers of two") {
  using enum Collective;
  for (int p : {2, 4, 8, 16}) {
    CAPTURE(p);
    const std::int64_t q = ceil_log2(p), others = p - 1, part = m / p;
    CHECK(cost(allreduce, "recursive_doubling", p, m) == Cost{q, q * m, q * m, q * p});
    CHECK(cost(allreduce, "rabenseifner", p, m) == Cost{2 * q, 2 * others * part, others * part, 2 * q * p});
    CHECK(cost(allgather, "recursive_doubling", p, block) == Cost{q, others * block, 0, q * p});
    CHECK(cost(alltoall, "bruck", p, block) == Cost{q, q * (p / 2) * block, 0, q * p});
    CHECK(cost(bcast, "scatter_ring_allgather", p, m) == Cost{q + others, 2 * others * part, 0, others + others * p});
  }
}

TEST_CASE("other numbers of ranks fold, or correct") {
  using enum Collective;
  for (int p : {3, 5, 6, 7, 9, 12, 15, 17}) {
    CAPTURE(p);
    const std::int64_t f = floor_log2(p), q = ceil_log2(p), power = floor_power(p);
    CHECK(cost(allreduce, "recursive_doubling", p, m).rounds == f + 2);
    CHECK(cost(allreduce, "recursive_doubling", p, m).reduced == (f + 1) * m);
    CHECK(cost(allreduce, "rabenseifner", p, m).rounds == 2 * f + 2);
    CHECK(cost(allreduce, "rabenseifner", p, m).moved == 2 * m + 2 * (power - 1) * (m / power));
    CHECK(cost(allreduce, "rabenseifner", p, m).reduced == m + (power - 1) * (m / power));
    CHECK(cost(allgather, "recursive_doubling", p, block).rounds <= 2 * q);
  }
}

TEST_CASE("what serves reproducible reductions takes few rounds") {
  for (const Collective which : {Collective::reduce, Collective::allreduce, Collective::scan, Collective::exscan}) {
    const auto all = catalogue();
    const auto first = std::find_if(all.begin(), all.end(), [&](const Algorithm& entry) {
      return entry.collective == which && needs(entry.constraints).empty();
    });
    REQUIRE(first != all.end());
    CAPTURE(first->name);
    CHECK(cost(which, first->name, 17, m).rounds <= ceil_log2(17) + 2);
  }
}
