#include "algorithms/grouped/grouped.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "algorithms/composite.hpp"
#include "algorithms/survey.hpp"
#include "analysis/count.hpp"
#include "analysis/program.hpp"
#include "analysis/verify.hpp"
#include "sanitized.hpp"

using namespace tutti;
using enum Collective;

namespace {

constexpr std::int64_t m = 1 << 10;

Cost cost(const Algorithm& algorithm, int size, const Parameters& parameters, Rank root = 0) {
  return count(Subject{&algorithm, size, root, parameters, {m}}.problem(), algorithm.schedule);
}

}  // namespace

TEST_CASE("compositions in groups are right, for all p to 9 and some beyond") {
  const std::vector<int> few = {1, 2, 3, 5, 6}, all = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 17};
  const SurveyResult result =
      verify_catalogue({.sizes = sanitized ? few : all,
                        .collective = {},
                        .algorithm = "groups",
                        .thoroughness = {.all_roots_to = sanitized ? 3 : 7, .all_values_to = sanitized ? 3 : 5}});
  if (result.fault) FAIL(to_text(*result.subject) << "\n" << to_text(*result.fault));
  CHECK(result.proved > (sanitized ? 1000 : 20000));
}

TEST_CASE("every algorithm stands between groups, and inside, in some composition that is proved") {
  std::set<const Algorithm*> found_between, found_inside;
  for (const Algorithm* algorithm : sample_compositions()) {
    const auto& parts = algorithm->schedule.parts()->parts;
    found_between.insert(parts[1].algorithm);
    found_inside.insert({parts[0].algorithm, parts[2].algorithm});
  }
  int composed = 0;
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    const auto collective = static_cast<Collective>(i);
    composed += has_groups(collective);
    CHECK(between_groups(collective).empty() != has_groups(collective));
    for (const Algorithm* algorithm : between_groups(collective)) CHECK(found_between.contains(algorithm));
    for (const Algorithm* algorithm : inside_groups(collective)) CHECK(found_inside.contains(algorithm));
  }
  CHECK(composed == 12);
}

TEST_CASE("parts run on any number of ranks, as groups have it") {
  for (const Algorithm& algorithm : catalogue()) {
    const Constraints& needed = algorithm.constraints;
    CHECK_FALSE((needed.power_of_two || needed.even || needed.least_ranks > 1));
  }
}

TEST_CASE("a composition's name and needs") {
  CHECK(grouped(bcast, "chain", "chain")->name == "groups(chain)");
  CHECK(grouped(bcast, "chain", "flat")->name == "groups(outer=chain, inner=flat)");
  CHECK(grouped(bcast, "ring", "chain") == nullptr);
  CHECK(grouped(gatherv, "linear", "linear") == nullptr);
  CHECK(grouped(bcast, "chain", "chain") == grouped(bcast, "chain", "chain"));
  CHECK(grouped(bcast, "chain", "chain") != grouped(bcast, "chain", "flat"));
  CHECK(grouped(allreduce, "ring", "linear")->constraints.commutative);
  CHECK(grouped(allreduce, "rabenseifner", "chain")->constraints.commutative);
  CHECK_FALSE(grouped(allreduce, "rabenseifner", "linear")->constraints.commutative);
  CHECK(grouped(Collective::reduce, "linear", "linear_by_arrival")->constraints.by_arrival);
  CHECK_FALSE(grouped(barrier, "dissemination", "binomial")->constraints.by_arrival);
  CHECK_FALSE(grouped(allgather, "direct", "binomial")->constraints.one_ported);
}

TEST_CASE("the costs of Hasanov et al.") {
  const Algorithm &chain = *grouped(bcast, "chain", "chain"), &flat = *grouped(bcast, "flat", "flat"),
                  &pipeline = *grouped(bcast, "pipelined_chain", "pipelined_chain"),
                  &binomial = *grouped(bcast, "binomial", "binomial"),
                  &ring = *grouped(bcast, "scatter_ring_allgather", "scatter_ring_allgather");
  for (const int p : {4, 9, 16, 36, 64}) {
    for (int G = 1; G <= p; ++G) {
      const int inside = (p + G - 1) / G;
      CHECK(cost(flat, p, {{G}}) == Cost{G + inside - 2, (G + inside - 2) * m, 0, p - 1});  // (8)
      if (p % G == 0) CHECK(cost(chain, p, {{G}}).rounds == G + inside - 2);
      for (const int X : {2, 8})
        if (p % G == 0 && G > 1 && G < p)
          CHECK(cost(pipeline, p, {{G, X, X}}).rounds == 2 * X + G + p / G - 4);  // (11)
    }
  }
  for (const int G : {2, 4, 8, 16, 32}) {
    CHECK(cost(binomial, 64, {{G}}) == Cost{6, 6 * m, 0, 63});
    CHECK(cost(ring, 64, {{G}}).rounds == 6 + G + 64 / G - 2);                 // (12)
    CHECK(cost(ring, 64, {{G}}).moved == 4 * m - 2 * m / G - 2 * m * G / 64);  // (12)
  }
}

TEST_CASE("one group is the algorithm inside, a group for each rank the one between") {
  for (const Rank root : {0, 3}) {
    for (Rank me = 0; me < 7; ++me) {
      const auto plain = [&](Collective collective, std::string_view name) {
        return program(find_algorithm(collective, name)->schedule({me, 7, root, {{3}}}));
      };
      const auto composed = [&](Collective collective, std::string_view outer, std::string_view inner, int groups) {
        return program(grouped(collective, outer, inner)->schedule({me, 7, root, {{groups, 3, 3}}}));
      };
      CHECK(composed(bcast, "flat", "pipelined_chain", 1)  // no parameter outside: the second value is the inner one's
            == plain(bcast, "pipelined_chain"));
      CHECK(composed(bcast, "pipelined_chain", "flat", 7) == plain(bcast, "pipelined_chain"));
      CHECK(composed(bcast, "pipelined_chain", "flat", 100) == plain(bcast, "pipelined_chain"));
      CHECK(composed(Collective::reduce, "chain", "two_tree", 7) == plain(Collective::reduce, "chain"));
      if (root == 0) CHECK(composed(allgather, "bruck", "linear", 7) == plain(allgather, "bruck"));
      if (root == 0) CHECK(composed(allreduce, "ring", "linear", 7) == plain(allreduce, "ring"));
    }
  }
}

TEST_CASE("the other collectives cost what their phases do") {
  CHECK(cost(*grouped(gather, "binomial", "binomial"), 16, {{4}}, 5) == Cost{4, 15 * m, 0, 15});
  CHECK(cost(*grouped(scatter, "binomial", "binomial"), 16, {{4}}, 5) == Cost{4, 15 * m, 0, 15});
  CHECK(cost(*grouped(barrier, "dissemination", "binomial"), 32, {{8}}).rounds == 2 + 3 + 2);
  CHECK(cost(*grouped(Collective::reduce, "binomial", "binomial"), 16, {{4}}, 5) == Cost{4, 4 * m, 4 * m, 15});
  const Cost sum = cost(*grouped(allreduce, "ring", "binomial"), 16, {{4}});
  CHECK(sum == Cost{2 + 6 + 2, 2 * m + 6 * m / 4 + 2 * m, 2 * m + 3 * m / 4, 12 + 24 + 12});
  const Cost blocks = cost(*grouped(allgather, "ring", "binomial"), 16, {{4}});
  CHECK(blocks == Cost{2 + 3 + 2, (3 + 12 + 2 * 16) * m, 0, 12 + 12 + 12});
  const Cost prefixes = cost(*grouped(scan, "linear", "linear"), 16, {{4}});
  CHECK(prefixes.rounds == 3 + 3 + 2);
}

TEST_CASE("who combines nothing in a reduce-scatter sends its contribution as it lies") {
  const Algorithm& algorithm = *grouped(reduce_scatter, "pairwise", "linear");
  for (Rank me = 0; me < 9; ++me) {
    const Program steps = program(algorithm.schedule({me, 9, 0, {{3}}}));
    const bool copies =
        std::any_of(steps.begin(), steps.end(), [](const Step& s) { return std::holds_alternative<Copy>(s); });
    CHECK(copies == (me % 3 == 0));
  }
}

TEST_CASE("a fence stands where phases cut blocks in different ways, and is asked for") {
  const auto fences = [](const Algorithm& algorithm, const Parameters& parameters) {
    int count = 0;
    for (const Step& step : program(algorithm.schedule({0, 6, 0, parameters}))) {
      const auto* mark = std::get_if<Round>(&step);
      count += mark != nullptr && mark->fence;
    }
    return count;
  };
  const Algorithm& same = *grouped(bcast, "pipelined_chain", "pipelined_chain");
  CHECK(fences(same, {{2, 4, 4}}) == 0);
  CHECK(fences(same, {{2, 4, 3}}) == 1);
  CHECK(fences(same, {{2, 4, 1}}) == 0);

  const auto without = [&](Context context) {
    Program steps = program(same.schedule(context));
    for (Step& step : steps)
      if (auto* mark = std::get_if<Round>(&step)) mark->fence = false;
    return schedule_of(std::move(steps));
  };
  const Subject subject{&same, 6, 0, {{2, 4, 3}}, {24}};
  CHECK_FALSE(verify(subject));
  const std::optional<Fault> fault = verify(subject.problem(), without);
  REQUIRE(fault);
  CHECK(to_text(*fault).find("since the last fence into 4 parts") != std::string::npos);
}
