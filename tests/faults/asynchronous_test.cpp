/// What the verifier argues, tried: one order of the steps stands for all that the order rule allows.
#include "asynchronous.hpp"

#include <doctest/doctest.h>

#include "algorithms/grouped/grouped.hpp"
#include "algorithms/subjects.hpp"
#include "analysis/text.hpp"

using namespace tutti;

namespace {

/// Runs of the programs, given as text, that go wrong, of 50.
int wrong_runs(Collective collective, const std::vector<std::string>& programs, bool forget_order = false,
               bool ordered = true) {
  const Problem problem{collective, static_cast<int>(programs.size()), 0, {}, {2}, ordered};
  std::vector<BoundProgram> ranks = tutti::bind(problem, [&](Context context) {
    return schedule_of(parse_program(programs[static_cast<std::size_t>(context.me)]));
  });
  for (BoundProgram& rank : ranks)
    for (MatchedStep& step : rank.bound)
      if (forget_order) step.after.clear();
  int wrong = 0;
  for (std::uint32_t seed = 0; seed < 50; ++seed) wrong += faults::run(problem, ranks, seed).wrong.empty() ? 0 : 1;
  return wrong;
}

const std::string passes_on = "receive output[0] from 0\nsend output[0] to 2";
const std::string exchanges =
    "send output[0] to 1\narea scratch0[0] like output\nreceive scratch0[0] from 1\n"
    "reduce output[0] = output[0] (+) scratch0[0]";
const std::string answers =
    "send output[0] to 0\narea scratch0[0] like output\nreceive scratch0[0] from 0\n"
    "reduce output[0] = scratch0[0] (+) output[0]";

}  // namespace

TEST_CASE("the catalogue is right in any order that the rule allows") {
  std::uint32_t seed = 0;
  for (const Algorithm& algorithm : catalogue()) {
    for (int size : {1, 2, 3, 4, 6, 7, 8}) {
      if (!obstacle(algorithm.constraints, {.ranks = size}).empty()) continue;
      std::vector<Subject> subjects = subjects_of(algorithm, size, {.large_blocks = false});
      for (std::size_t i = seed % 7; i < subjects.size(); i += 11) {
        const Problem problem = subjects[i].problem();
        const faults::Result result = faults::run(problem, tutti::bind(problem, algorithm.schedule), ++seed);
        CHECK_MESSAGE(result.wrong.empty(), to_text(subjects[i]) << ": " << result.wrong);
      }
    }
  }
  CHECK(seed > 2000);
}

TEST_CASE("compositions in groups are right in any order that the rule allows") {
  std::uint32_t seed = 0;
  for (const Algorithm* algorithm : sample_compositions()) {
    for (int size : {3, 5, 8}) {
      std::vector<Subject> subjects = subjects_of(*algorithm, size, {.large_blocks = false});
      for (std::size_t i = seed % 13; i < subjects.size(); i += 29) {
        const Problem problem = subjects[i].problem();
        const faults::Result result = faults::run(problem, tutti::bind(problem, algorithm->schedule), ++seed);
        CHECK_MESSAGE(result.wrong.empty(), to_text(subjects[i]) << ": " << result.wrong);
      }
    }
  }
  CHECK(seed > 1000);
}

TEST_CASE("what depends on who comes first goes wrong now and then") {
  const std::string both =
      "peers set0 1, 2\narea any scratch0[0] like output\nreceive scratch0[0] from any of set0\n"
      "reduce output[0] = output[0] (+) scratch0[0]\nreceive scratch0[0] from any of set0\n";
  const std::string last = "reduce output[0] = output[0] (+) scratch0[0]", sends = "send output[0] to 0 in set0";
  CHECK(wrong_runs(Collective::reduce, {both + last, sends, sends}, false, false) == 0);
  CHECK(wrong_runs(Collective::reduce, {both + last, sends, sends}) > 5);  // an operator that does not commute
  CHECK(wrong_runs(Collective::reduce, {both, sends, sends}, false, false) == 50);
}

TEST_CASE("steps that do not wait for each other go wrong now and then") {
  CHECK(wrong_runs(Collective::bcast, {"send output[0] to 1", passes_on, "receive output[0] from 1"}) == 0);
  CHECK(wrong_runs(Collective::bcast, {"send output[0] to 1", passes_on, "receive output[0] from 1"}, true) > 5);
  CHECK(wrong_runs(Collective::allreduce, {exchanges, answers}) == 0);
  CHECK(wrong_runs(Collective::allreduce, {exchanges, answers}, true) > 5);
}

TEST_CASE("operands that are swapped, missing or counted twice show") {
  std::string swapped = answers;
  swapped.replace(swapped.find("= scratch0[0] (+) output[0]"), 27, "= output[0] (+) scratch0[0]");
  CHECK(wrong_runs(Collective::allreduce, {exchanges, swapped}) == 50);
  CHECK(wrong_runs(Collective::allreduce, {exchanges, answers + "\nreduce output[0] = scratch0[0] (+) output[0]"}) ==
        50);
  CHECK(wrong_runs(Collective::bcast, {"", ""}) == 50);
}

TEST_CASE("a circle that waits comes to rest, where sends wait for their receives") {
  const std::string first = "receive output[1] from 1\nround\nsend output[0] to 1";
  const std::string second = "receive output[0] from 0\nround\nsend output[1] to 0";
  CHECK(wrong_runs(Collective::allgather, {first, second}) > 5);
}
