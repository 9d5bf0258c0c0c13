/// Every formula of the catalogue against what its schedules come to.
#include "models/closed_form.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "algorithms/grouped/grouped.hpp"
#include "algorithms/study.hpp"

using namespace tutti;

namespace {

constexpr std::int64_t bytes = 64 * 720720;  // so that parts are equal at powers of two
constexpr int radix = 2, segments = 4;

/// How near a formula is: what it says over what is counted, of rounds, bytes moved, bytes reduced.
struct Within {
  std::string_view collective, name;
  double rounds, moved, reduced;  ///< at most
  std::string_view why;
};

/// Formulas that are no closed form of these schedules at powers of two, but a bound that they keep.
constexpr Within bounds[] = {
    {"bcast", "two_tree", 1.5, 1.5, 0, "rounds are at most 2 lg p + n"},
    {"reduce", "two_tree", 1.5, 1.5, 1.5, "rounds are at most 2 lg p + n"},
    {"allreduce", "double_binary_tree", 1.5, 1.5, 1.5, "rounds are at most 2 lg p + n, twice"},
    {"allgatherv", "circulant_n_block", 1, 2.1, 0, "bytes of the fullest round, in every round"},
    {"gatherv", "binomial", 1, 1.001, 0, "sizes that travel along are bytes, and not counted"},
    {"scatterv", "binomial", 1, 1.001, 0, "sizes that travel along are bytes, and not counted"},
    {"reduce", "binomial_in_order", 2, 2, 1, "the hop to the root, which root 0 saves"},
    {"reduce_scatter", "butterfly", 2, 2, 2, "the last message, which few ranks need"},
    {"reduce_scatter_block", "butterfly", 2, 2, 2, "the last message, which few ranks need"},
    {"scan", "recursive_doubling", 1, 1, 2, "two combinations a round, of a rank in the middle"},
    {"scan", "up_down_sweep", 1.5, 1.5, 1.5, "a sweep ends early at the edges"},
    {"exscan", "recursive_doubling", 1, 1, 2, "two combinations a round, of a rank in the middle"},
    {"exscan", "linear", 1, 1, 1.5, "the first rank combines nothing"},
    {"exscan", "pipelined_chain", 1, 1, 1.5, "the first rank combines nothing"},
    {"exscan", "simultaneous", 1, 1, 1.5, "the first rank combines nothing"},
    {"exscan", "up_down_sweep", 1.5, 1.5, 1.5, "a sweep ends early at the edges"},
};

/// Trees that are complete for one rank less than a power of two, where their formulas hold.
bool complete_tree(const Algorithm& algorithm) { return algorithm.name.find("binary") != std::string_view::npos; }

const Within* bound_of(const Algorithm& algorithm) {
  for (const Within& each : bounds)
    if (each.collective == name(algorithm.collective) && each.name == algorithm.name) return &each;
  return nullptr;
}

Parameters parameters_for(const Algorithm& algorithm) {
  Parameters parameters;
  for (std::size_t i = 0; i < algorithm.parameters.size(); ++i) {
    const ParameterInfo& info = algorithm.parameters[i];
    parameters.values[i] = info.kind == ParameterInfo::Kind::segment || info.name == "blocks" ? segments : radix;
  }
  return parameters;
}

struct Both {
  Coefficients formula;
  Cost counted;
};

Both both(const Algorithm& algorithm, int ranks) {
  const Parameters parameters = parameters_for(algorithm);
  return {closed_form(algorithm, ranks, parameters, bytes), schedule_cost(algorithm, ranks, 0, parameters, bytes)};
}

void check_equal(const Both& found) {
  CHECK(found.formula.rounds == doctest::Approx(static_cast<double>(found.counted.rounds)));
  CHECK(found.formula.moved == doctest::Approx(static_cast<double>(found.counted.moved)));
  CHECK(found.formula.reduced == doctest::Approx(static_cast<double>(found.counted.reduced)));
}

/// Between `least` and `most` times what is counted.
void check_near(double formula, std::int64_t counted, double least, double most) {
  const double value = static_cast<double>(counted);
  CHECK(formula >= least * value - 1e-6);
  CHECK(formula <= most * value + 1e-6);
}

}  // namespace

TEST_CASE("formulas of the catalogue are those of its schedules at powers of two, or bounds that are listed") {
  for (const Algorithm& algorithm : catalogue()) {
    CAPTURE(name(algorithm.collective));
    CAPTURE(algorithm.name);
    for (int ranks : {4, 8, 16, 32}) {
      const int p = complete_tree(algorithm) && !bound_of(algorithm) ? ranks - 1 : ranks;
      CAPTURE(p);
      const Both found = both(algorithm, p);
      const Within* bound = bound_of(algorithm);
      if (!bound) {
        check_equal(found);
        continue;
      }
      check_near(found.formula.rounds, found.counted.rounds, 1, bound->rounds);
      check_near(found.formula.moved, found.counted.moved, 1, bound->moved);
      check_near(found.formula.reduced, found.counted.reduced, 1, p == 4 ? 2 : bound->reduced);
    }
  }
}

TEST_CASE("elsewhere schedules fold, or correct: formulas leave that out, up to 60 % of the cost") {
  for (const Algorithm& algorithm : catalogue()) {
    CAPTURE(name(algorithm.collective));
    CAPTURE(algorithm.name);
    for (int ranks = 3; ranks <= 33; ranks += 2) {
      if (!obstacle(algorithm.constraints, {.ranks = ranks}).empty()) continue;
      CAPTURE(ranks);
      const auto& [formula, counted] = both(algorithm, ranks);
      check_near(formula.rounds, counted.rounds, 0.49, 1.7);
      check_near(formula.moved, counted.moved, 0.39, 2.5);
      if (ranks > 3) check_near(formula.reduced, counted.reduced, 0.39, ranks == 5 ? 3 : 2.1);
    }
  }
}

TEST_CASE("some formulas hold for every number of ranks") {
  for (const auto& [which, algorithm] : {std::pair{"bcast", "binomial"},
                                         {"bcast", "circulant_n_block"},
                                         {"bcast", "scatter_ring_allgather"},
                                         {"bcast", "pipelined_chain"},
                                         {"allgather", "ring"},
                                         {"allgather", "bruck"},
                                         {"allgather", "circulant"},
                                         {"allreduce", "ring"},
                                         {"allreduce", "circulant"},
                                         {"allreduce", "segmented_ring"},
                                         {"reduce_scatter", "circulant"},
                                         {"alltoall", "pairwise"},
                                         {"scatter", "binomial"},
                                         {"barrier", "tree"}}) {
    CAPTURE(algorithm);
    for (int ranks = 2; ranks <= 33; ++ranks) {
      CAPTURE(ranks);
      const Both found = both(known_algorithm(*collective_named(which), algorithm), ranks);
      check_near(found.formula.rounds, found.counted.rounds, 1, 1);
      check_near(found.formula.moved, found.counted.moved, 0.999, 1.001);  // parts differ by an element
      check_near(found.formula.reduced, found.counted.reduced, 0.999, 1.001);
    }
  }
}

TEST_CASE("groups cost the sum of their phases") {
  for (const Algorithm* composition : sample_compositions()) {
    CAPTURE(name(composition->collective));
    CAPTURE(composition->name);
    Parameters parameters{};
    for (std::size_t i = 0; i < composition->parameters.size(); ++i)
      parameters.values[i] = composition->parameters[i].kind == ParameterInfo::Kind::segment ? segments
                             : composition->parameters[i].name == "groups"                   ? 4
                                                                                             : radix;
    const Coefficients formula = closed_form(*composition, 16, parameters, bytes);
    const Cost counted = schedule_cost(*composition, 16, 0, parameters, bytes);
    check_near(formula.rounds, counted.rounds, 0.99, 2);
    check_near(formula.moved, counted.moved, 0.7, 2);
    check_near(formula.reduced, counted.reduced, 0.7, 2.5);
  }
}

TEST_CASE("one rank costs nothing, and there is one at least") {
  const Algorithm& ring = known_algorithm(Collective::allreduce, "ring");
  CHECK(closed_form(ring, 1, {}, bytes) == Coefficients{});
  CHECK_THROWS_AS(closed_form(ring, 0, {}, bytes), std::invalid_argument);
}
