/// What a step waits for: the executor's window beside the verifier's cells, for the whole catalogue.
#include <doctest/doctest.h>

#include <bit>
#include <set>
#include <string>
#include <vector>

#include "algorithms/subjects.hpp"
#include "analysis/bound_programs.hpp"
#include "runtime/wire/step_stream.hpp"

using namespace tutti;
using namespace tutti::runtime;

namespace {

/// The layouts of one rank's call, as an executor has them.
struct Sizes {
  std::vector<std::int64_t> input, output;

  Sizes(const Problem& problem, Rank me) {
    for (int owner = 0; owner < (one_vector(problem.collective) ? 1 : problem.size); ++owner)
      input.push_back(problem.input_elements(me, owner)), output.push_back(problem.output_elements(me, owner));
  }
  static Layout layout(const std::vector<std::int64_t>& sizes) {
    return Layout::irregular(static_cast<int>(sizes.size()), CountView::wide(sizes.data()), {}, 1);
  }
};

/// Of each step that moves something, those of the 63 such steps before it that must have ended first.
using Order = std::vector<std::set<int>>;

void close(Order& order) {
  for (auto& step : order) {
    const std::set<int> direct = step;
    for (const int earlier : direct)
      step.insert(order[static_cast<std::size_t>(earlier)].begin(), order[static_cast<std::size_t>(earlier)].end());
  }
}

Order proven(const BoundProgram& program) {
  Order order;
  std::vector<int> number(program.bound.size(), -1);
  for (std::size_t i = 0; i < program.bound.size(); ++i) {
    const MatchedStep& step = program.bound[i];
    const bool moves = !declares(program.steps[i]) && !std::holds_alternative<Round>(program.steps[i]);
    if (!moves || (step.length == 0 && !step.tokens && !step.sized && step.needs.empty() && step.learns.empty()))
      continue;
    number[i] = static_cast<int>(order.size());
    std::set<int>& waits = order.emplace_back();
    for (const int earlier : step.after)
      if (const int other = number[static_cast<std::size_t>(earlier)]; other >= 0) waits.insert(other);
  }
  close(order);
  return order;
}

Order carried_out(const Problem& problem, Rank me, Schedule schedule) {
  const Sizes sizes(problem, me);
  StepStream stream({Sizes::layout(sizes.input), Sizes::layout(sizes.output)}, std::move(schedule));
  Order order;
  for (int next = 0;; ++next) {
    const int busy = std::min(next, window_places - 1);
    if (!stream.pull(busy == 0 ? 0 : std::rotl(bit(busy) - 1, place_of(next - busy)))) break;
    std::set<int>& waits = order.emplace_back();
    each_place(stream.step().after,
               [&](int place) { waits.insert(next - 1 - place_of(next - 1 - place + window_places)); });
  }
  return order;
}

bool fenced(const Program& steps) {
  return std::ranges::any_of(steps, [](const Step& step) {
    const auto* round = std::get_if<Round>(&step);
    return round && round->fence;
  });
}

/// Empty where both agree.
std::string difference(const Problem& problem, const ScheduleMaker& schedule) {
  const auto programs = bind(problem, [&](Context context) { return schedule(context); });
  for (Rank me = 0; me < problem.size; ++me) {
    const BoundProgram& program = programs[static_cast<std::size_t>(me)];
    if (fenced(program.steps)) return "";  // orders more than data do
    const Order right = proven(program);
    Order ours = carried_out(problem, me, schedule(problem.context(me)));
    const std::string where = "rank " + std::to_string(me) + ", step ";
    if (ours.size() != right.size()) return where + "count";
    close(ours);
    for (std::size_t i = 0; i < ours.size(); ++i)
      for (int other = std::max(0, static_cast<int>(i) - window_places + 1); other < static_cast<int>(i); ++other)
        if (ours[i].contains(other) != right[i].contains(other))
          return where + std::to_string(i) + " and " + std::to_string(other);
  }
  return "";
}

}  // namespace

TEST_CASE("the executor makes a step wait for what the verifier says, and for nothing else") {
  int compared = 0;
  for (const Algorithm& algorithm : catalogue())
    for (const int size : {2, 3, 5, 8})
      for (const Subject& subject : subjects_of(algorithm, size, {.all_roots_to = 3, .all_values_to = 3})) {
        const Problem problem = subject.problem();
        CAPTURE(to_text(subject));
        CHECK(difference(problem, algorithm.schedule) == "");
        ++compared;
      }
  CHECK(compared > 1000);
}
