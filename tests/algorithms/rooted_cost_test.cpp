/// What the rooted collectives cost, against the closed forms: rounds and bytes for any p where they are exact, else
/// for the p for which the papers give them.
#include <doctest/doctest.h>

#include "algorithms/study.hpp"
#include "patterns/power.hpp"

using namespace tutti;
using enum Collective;

namespace {

constexpr std::int64_t block = 10;

Cost cost(Collective collective, std::string_view algorithm, int p, std::int64_t elements, Parameters parameters = {},
          Rank root = 0) {
  return schedule_cost(collective, algorithm, p, root, parameters, elements);
}

/// The dual takes as long, and combines as much as it moves.
void check_dual(std::string_view algorithm, int p, std::int64_t elements, Parameters parameters = {}) {
  CAPTURE(algorithm);
  CAPTURE(p);
  const Cost down = cost(bcast, algorithm, p, elements, parameters);
  CHECK(cost(reduce, algorithm, p, elements, parameters) == Cost{down.rounds, down.moved, down.moved, down.messages});
}

}  // namespace

TEST_CASE("one by one: p - 1 messages") {
  for (int p : {2, 3, 8, 13}) {
    CAPTURE(p);
    const std::int64_t others = p - 1, m = 100;
    CHECK(cost(bcast, "flat", p, m) == Cost{others, others * m, 0, others});
    CHECK(cost(bcast, "chain", p, m) == Cost{others, others * m, 0, others});
    CHECK(cost(reduce, "linear", p, m, {}, p / 2) == Cost{others, others * m, others * m, others});
    CHECK(cost(reduce, "chain", p, m) == Cost{others, others * m, others * m, others});
    for (Collective collective : {scatter, gather, scatterv, gatherv})
      CHECK(cost(collective, "linear", p, block, {{3}}) == Cost{others, others * block, 0, others});
  }
}

TEST_CASE("k-nomial: at most k - 1 rounds a level, exactly that for powers of k") {
  for (int k : {2, 3, 4, 8}) {
    for (int p = 2; p <= 70; ++p) {
      CAPTURE(k);
      CAPTURE(p);
      int levels = 0, power = 1;
      for (; power < p; power *= k) ++levels;
      const std::int64_t most = (k - 1) * levels, m = 64;
      const Cost down = cost(bcast, "k_nomial", p, m, {{k}});
      CHECK(down.rounds <= most);
      CHECK(down.moved == down.rounds * m);
      if (power == p) CHECK(down.rounds == most);
      CHECK(cost(reduce, "k_nomial", p, m, {{k}}).rounds <= most);
      CHECK(cost(scatter, "k_nomial", p, block, {{k}}).rounds <= most);
      CHECK(cost(scatter, "k_nomial", p, block, {{k}}).moved == (p - 1) * block);
      CHECK(cost(gather, "k_nomial", p, block, {{k}}).moved == (p - 1) * block);
    }
  }
}

TEST_CASE("complete binary trees, through one port") {
  for (int levels = 2; levels <= 6; ++levels) {
    const int p = (1 << levels) - 1;
    CAPTURE(p);
    const std::int64_t m = 840, depth = 2 * (levels - 1);
    CHECK(cost(bcast, "binary", p, m) == Cost{depth, depth * m, 0, p - 1});
    for (int segments : {1, 4, 10}) {
      const std::int64_t rounds = 2 * (segments + levels - 2);
      CHECK(cost(bcast, "pipelined_binary", p, m, {{segments}}).rounds == rounds);
      CHECK(cost(bcast, "pipelined_binary", p, m, {{segments}}).moved == rounds * (m / segments));
      CHECK(cost(reduce, "binary", p, m, {{segments}}).rounds == rounds);
      CHECK(cost(reduce, "in_order_binary", p, m, {{segments}}, p - 1).rounds <= rounds + 2);
      if (segments == 1) continue;
      const std::int64_t split = 2 * levels + segments - 4 + 1;
      CHECK(cost(bcast, "split_binary", p, m, {{segments}}).rounds == split);
      CHECK(cost(bcast, "split_binary", p, m, {{segments}}).moved == (split - 1) * (m / segments) + m / 2);
    }
  }
}

TEST_CASE("scatter and allgather by recursive doubling: 2 lg p rounds, 2 (p-1)/p of the vector") {
  for (int p : {2, 4, 8, 16, 32}) {
    const std::int64_t q = ceil_log2(p), m = 320;
    CHECK(cost(bcast, "scatter_recursive_doubling_allgather", p, m) ==
          Cost{2 * q, 2 * (p - 1) * m / p, 0, p - 1 + q * p});
  }
  for (int p : {3, 5, 6, 7, 9, 13, 23}) {
    CAPTURE(p);
    CHECK(cost(bcast, "scatter_recursive_doubling_allgather", p, 1000).rounds <= 3 * ceil_log2(p));
  }
}

TEST_CASE("Rabenseifner: 2 lg p rounds, 2 (p-1)/p of the vector; others fold first") {
  for (int p : {2, 4, 8, 16, 32}) {
    const std::int64_t q = ceil_log2(p), m = 320, share = (p - 1) * m / p;
    for (Rank root : {0, p - 1}) {
      CHECK(cost(reduce, "rabenseifner", p, m, {}, root) == Cost{2 * q, 2 * share, share, q * p + p - 1});
    }
  }
  for (int p : {3, 5, 6, 7, 9, 13, 23}) {
    CAPTURE(p);
    const std::int64_t f = floor_log2(p), power = floor_power(p), m = 320, share = (power - 1) * m / power;
    for (Rank root = 0; root < p; ++root) {
      const Cost all = cost(reduce, "rabenseifner", p, m, {}, root);
      CHECK(all.rounds <= 2 * f + 2);
      CHECK(all.moved <= m + 2 * share + m / power);
      CHECK(all.reduced == m + share);
    }
  }
}

TEST_CASE("two trees: at most 2 lg p + n rounds of m / n") {
  for (int p = 2; p <= 70; ++p) {
    for (int n : {2, 8, 20}) {
      CAPTURE(p);
      CAPTURE(n);
      const std::int64_t most = 2 * ceil_log2(p) + n, m = 40;
      for (Collective collective : {bcast, reduce}) {
        const Cost both = cost(collective, "two_tree", p, m, {{n}});
        CHECK(both.rounds <= most);
        CHECK(both.moved <= most * (m / n));
        CHECK(both.messages == static_cast<std::int64_t>(n) * (p - 1));
      }
    }
  }
}

TEST_CASE("circulant graphs: n - 1 + lg p rounds, the least there can be") {
  for (int p = 2; p <= 40; ++p) {
    for (int n : {1, 2, 7, 20}) {
      CAPTURE(p);
      CAPTURE(n);
      const std::int64_t rounds = n - 1 + ceil_log2(p), m = 140, messages = static_cast<std::int64_t>(n) * (p - 1);
      CHECK(cost(bcast, "circulant_n_block", p, m, {{n}}) == Cost{rounds, rounds * (m / n), 0, messages});
    }
  }
}

TEST_CASE("a broadcast and the reduction that is its reverse cost the same") {
  for (int p : {2, 3, 7, 8, 16, 21}) {
    check_dual("chain", p, 100);
    check_dual("pipelined_chain", p, 100, {{5}});
    check_dual("binomial", p, 100);
    check_dual("circulant_n_block", p, 100, {{5}});
  }
}
