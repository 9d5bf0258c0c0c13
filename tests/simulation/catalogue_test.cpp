/// The whole catalogue: the simulator counts what the analysis counts, runs to the end, and folds to the same times.
#include <doctest/doctest.h>

#include "algorithms/constraints.hpp"
#include "algorithms/subjects.hpp"
#include "analysis/bound_programs.hpp"
#include "machines.hpp"

using namespace tutti;
using namespace tutti::simulation;

namespace {

constexpr std::int64_t bytes = 4096;  // every part of a vector has some

std::vector<Parameters> values_of(const Algorithm& algorithm) {
  Parameters standard;
  for (std::size_t i = 0; i < algorithm.parameters.size(); ++i)
    standard.values[i] = algorithm.parameters[i].kind == ParameterInfo::Kind::segment
                             ? 3
                             : static_cast<int>(algorithm.parameters[i].standard);
  return {standard};
}

Call call_of_entry(const Algorithm& algorithm, Rank root, const Parameters& parameters) {
  return {.collective = algorithm.collective,
          .root = root,
          .bytes = algorithm.collective == Collective::barrier ? 0 : bytes,
          .schedule = algorithm.schedule,
          .parameters = parameters};
}

/// Messages with tokens or bytes, and the bytes of their blocks.
std::pair<std::int64_t, std::int64_t> counted(const Algorithm& algorithm, int size, Rank root,
                                              const Parameters& values) {
  const std::int64_t block = algorithm.collective == Collective::barrier ? 0 : bytes;
  const Problem problem = Subject{&algorithm, size, root, values, {block}}.problem();
  std::int64_t messages = 0, sum = 0;
  for (const BoundProgram& rank : bind(problem, algorithm.schedule))
    for (std::size_t i = 0; i < rank.steps.size(); ++i)
      if (std::holds_alternative<Send>(rank.steps[i]) &&
          (rank.bound[i].length > 0 || rank.bound[i].tokens || rank.bound[i].sized))
        ++messages, sum += rank.bound[i].length;
  return {messages, sum};
}

template <class Visit>
void each_entry(std::initializer_list<int> sizes, Visit&& visit) {
  for (const Algorithm& algorithm : catalogue())
    for (const int size : sizes)
      if (obstacle(algorithm.constraints, {.ranks = size}).empty())
        for (const Parameters& values : values_of(algorithm)) visit(algorithm, size, values);
}

}  // namespace

TEST_CASE("messages and bytes are those of the analysis") {
  each_entry({1, 2, 3, 4, 5, 6, 7, 8, 9, 16}, [](const Algorithm& algorithm, int size, const Parameters& values) {
    CAPTURE(algorithm.name);
    CAPTURE(name(algorithm.collective));
    CAPTURE(size);
    for (const Rank root : {0, size - 1}) {
      if (root > 0 && !rooted(algorithm.collective)) continue;
      const auto [messages, sum] = counted(algorithm, size, root, values);
      const Result found = simulate(plain(size), call_of_entry(algorithm, root, values), unfolded());
      CHECK(found.counts.messages == messages);
      CHECK(found.counts.bytes == sum);
      CHECK(found.counts.messages_between == messages);
    }
  });
}

TEST_CASE("a rendezvous changes no count and hangs nowhere") {
  each_entry({2, 3, 5, 8, 9, 16}, [](const Algorithm& algorithm, int size, const Parameters& values) {
    CAPTURE(algorithm.name);
    CAPTURE(name(algorithm.collective));
    CAPTURE(size);
    Machine machine = plain(size);
    machine.between.rendezvous = 0;
    const Call call = call_of_entry(algorithm, 0, values);
    const Result waits = simulate(machine, call, unfolded()), eager = simulate(plain(size), call, unfolded());
    CHECK(waits.counts.messages == eager.counts.messages);
    CHECK(waits.end.at >= eager.end.at);
  });
}

TEST_CASE("the parts of the longest path add up") {
  each_entry({5, 8}, [](const Algorithm& algorithm, int size, const Parameters& values) {
    CAPTURE(algorithm.name);
    CAPTURE(name(algorithm.collective));
    CAPTURE(size);
    const Result found = simulate(plain(size), call_of_entry(algorithm, 0, values), unfolded());
    Time sum = 0;
    for (const Time part : found.end.parts) sum += part;
    CHECK(sum == found.end.at);
  });
}

TEST_CASE("folded runs are the full ones") {
  int folded = 0;
  for (const int per_node : {1, 2, 4})
    each_entry({2, 3, 4, 6, 8, 16}, [&](const Algorithm& algorithm, int nodes, const Parameters& values) {
      const int size = nodes * per_node;
      if (!obstacle(algorithm.constraints, {.ranks = size}).empty()) return;
      CAPTURE(algorithm.name);
      CAPTURE(name(algorithm.collective));
      CAPTURE(nodes);
      CAPTURE(per_node);
      for (const std::int64_t rendezvous : {INT64_MAX, std::int64_t{0}}) {
        Machine machine = plain(nodes, per_node);
        machine.between.rendezvous = rendezvous;
        const Call call = call_of_entry(algorithm, 0, values);
        const Result full = simulate(machine, call, unfolded());
        const Result found = simulate(machine, call, {.fold = true});
        folded += found.fold != tutti::simulation::Fold::Kind::none;
        CHECK(found.end.at == full.end.at);
        CHECK(found.counts.messages == full.counts.messages);
        CHECK(found.counts.bytes == full.counts.bytes);
        CHECK(found.counts.bytes_between == full.counts.bytes_between);
      }
    });
  CHECK(folded > 150);
}
