#include "algorithms/composite.hpp"

#include <doctest/doctest.h>

#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "analysis/program.hpp"

using namespace tutti;

namespace {

/// The first part, whatever the others are.
Schedule first_part(const Composition& composition, Context context) {
  context.parameters = composition.parameters_of(0, context.parameters);
  return composition.parts[0].algorithm->schedule(context);
}

Composition made_of(std::string name, std::vector<Composition::Part> parts) {
  return {Collective::bcast,
          std::move(name),
          first_part,
          std::move(parts),
          {ParameterInfo{"depth", ParameterInfo::Kind::integer, 1, 9, 2}},
          {},
          "as its parts",
          "a test"};
}

const Algorithm* bcast(std::string_view name) { return find_algorithm(Collective::bcast, name); }

}  // namespace

TEST_CASE("a composition has one algorithm, whoever asks and however often") {
  const Algorithm& once = composite(made_of("test of chain and binomial", {{bcast("chain")}, {bcast("binomial")}}));
  const Algorithm& other = composite(made_of("test of binomial", {{bcast("binomial")}}));
  CHECK(&once != &other);
  std::set<const Algorithm*> seen;
  std::mutex mutex;
  {
    std::vector<std::jthread> crew;
    for (int i = 0; i < 8; ++i)
      crew.emplace_back([&] {
        for (int k = 0; k < 100; ++k) {
          const Algorithm& found = composite(made_of("test of many", {{bcast("k_nomial")}, {bcast("chain")}}));
          const std::lock_guard lock(mutex);
          seen.insert(&found);
        }
      });
  }
  CHECK(seen.size() == 1);
  CHECK(once.name == "test of chain and binomial");
  CHECK(once.schedule.parts() != nullptr);
  CHECK(bcast("chain")->schedule.parts() == nullptr);
}

TEST_CASE("a composition's parameters are its own, then those of its parts") {
  const std::vector<Composition::Part> parts{
      {bcast("pipelined_chain"), true}, {}, {bcast("chain")}, {bcast("k_nomial")}};
  const Algorithm& algorithm = composite(made_of("test of parameters", parts));
  REQUIRE(algorithm.parameters.size() == 3);
  CHECK(algorithm.parameters[0].name == "depth");
  CHECK(algorithm.parameters[1].name == "segment");
  CHECK(algorithm.parameters[2].name == "k");
  CHECK(algorithm.parameters[1].of_row);
  CHECK_FALSE(algorithm.parameters[2].of_row);
  const Composition& kept = *algorithm.schedule.parts();
  const Parameters all{{7, 5, 3}};
  CHECK(kept.parameters_of(0, all) == Parameters{{5}});
  CHECK(kept.parameters_of(1, all) == Parameters{});
  CHECK(kept.parameters_of(2, all) == Parameters{});
  CHECK(kept.parameters_of(3, all) == Parameters{{3}});
  CHECK(program(algorithm.schedule({1, 4, 0, all})) == program(bcast("pipelined_chain")->schedule({1, 4, 0, {{5}}})));
  const std::vector<Composition::Part> many(4, {bcast("k_nomial")});
  CHECK_THROWS_AS(composite(made_of("test of too many", many)), std::length_error);
}
