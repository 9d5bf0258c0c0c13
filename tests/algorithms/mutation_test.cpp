/// The verifier's own test: small mistakes, planted one at a time in every schedule, must all be found.
#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <random>
#include <string>

#include "algorithms/catalogue.hpp"
#include "core/text.hpp"
#include "core/verify.hpp"

using namespace tutti;

namespace {

/// Plants one mistake in a step, or leaves it alone where it does not apply.
using Mistake = std::function<std::optional<Program>(const Program& steps, std::size_t at, int size)>;

std::optional<Program> replaced(const Program& steps, std::size_t at, std::optional<Step> step) {
  if (!step) return std::nullopt;
  Program result = steps;
  result[at] = *step;
  return result;
}

std::optional<Program> wrong_peer(const Program& steps, std::size_t at, int size) {
  if (size < 3) return std::nullopt;
  Step step = steps[at];
  if (auto* send = std::get_if<Send>(&step))
    send->to = (send->to + 1) % size;
  else if (auto* receive = std::get_if<Receive>(&step))
    receive->from = (receive->from + 1) % size;
  else
    return std::nullopt;
  return replaced(steps, at, step);
}

std::optional<BlockList> next_block(const BlockList& list) {
  if (list.size() == 0) return std::nullopt;
  Blocks first = *list.begin();
  // All runs of a floating area lie at its start.
  if (first.buffer == Buffer::token || first.buffer == Buffer::scratch) return std::nullopt;
  if (first.of > 1)
    first.part = (first.part + 1) % (first.of - first.parts + 1);
  else
    ++first.first;
  if (first == *list.begin()) return std::nullopt;
  BlockList result;
  result.add(first);
  for (std::size_t i = 1; i < list.size(); ++i) result.add(list.runs()[i]);
  return result;
}

std::optional<Program> off_by_one(const Program& steps, std::size_t at, int) {
  Step step = steps[at];
  if (auto* send = std::get_if<Send>(&step)) {
    const auto moved = next_block(send->what);
    if (!moved) return std::nullopt;
    send->what = *moved;
  } else if (auto* receive = std::get_if<Receive>(&step)) {
    const auto moved = next_block(receive->into);
    if (!moved) return std::nullopt;
    receive->into = *moved;
  } else {
    return std::nullopt;
  }
  return replaced(steps, at, step);
}

std::optional<Program> dropped(const Program& steps, std::size_t at, int) {
  // A round is only a mark, and a rank may declare scratch that it does not come to use.
  if (std::holds_alternative<Round>(steps[at]) || std::holds_alternative<Area>(steps[at])) return std::nullopt;
  Program result = steps;
  result.erase(result.begin() + static_cast<std::ptrdiff_t>(at));
  return result;
}

std::optional<Program> swapped_operands(const Program& steps, std::size_t at, int) {
  const auto* reduce = std::get_if<Reduce>(&steps[at]);
  if (reduce == nullptr) return std::nullopt;
  return replaced(steps, at, Reduce{reduce->from, reduce->into, !reduce->from_left});
}

std::optional<Program> counted_twice(const Program& steps, std::size_t at, int) {
  if (!std::holds_alternative<Reduce>(steps[at])) return std::nullopt;
  Program result = steps;
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(at), steps[at]);
  return result;
}

struct Tally {
  int planted = 0, found = 0;
};

/// Plants the mistake in one step of one rank after the other, `tries` of them drawn by `random`.
void plant(const Algorithm& algorithm, int size, const Mistake& mistake, std::mt19937& random, int tries,
           Tally& tally) {
  const bool vector = one_vector(algorithm.collective);
  const Problem problem{algorithm.collective,
                        size,
                        rooted(algorithm.collective) ? size / 2 : 0,
                        {},
                        {vector ? 40 + size : 3},
                        !algorithm.constraints.commutative};
  for (int i = 0; i < tries; ++i) {
    const auto victim = static_cast<Rank>(random() % static_cast<unsigned>(size));
    const Program steps = program(algorithm.schedule(problem.context(victim)));
    if (steps.empty()) continue;
    const auto mutated = mistake(steps, random() % steps.size(), size);
    if (!mutated) continue;
    ++tally.planted;
    const auto fault = verify(problem, [&](Context context) {
      return context.me == victim ? schedule_of(*mutated) : algorithm.schedule(context);
    });
    if (fault)
      ++tally.found;
    else
      MESSAGE(name(algorithm.collective) << " " << algorithm.name << ", p = " << size << ", rank " << victim << ":\n"
                                         << to_text(*mutated));
  }
}

Tally plant_everywhere(const Mistake& mistake, bool ordered_only, unsigned seed) {
  std::mt19937 random(seed);
  Tally tally;
  for (const Algorithm& algorithm : catalogue()) {
    if (ordered_only && algorithm.constraints.commutative) continue;
    for (int size : {2, 3, 5, 8, 9}) plant(algorithm, size, mistake, random, 20, tally);
  }
  return tally;
}

}  // namespace

TEST_CASE("every planted mistake is found") {
  const auto all_found = [](const char* what, const Mistake& mistake, bool ordered_only = false) {
    CAPTURE(what);
    const Tally tally = plant_everywhere(mistake, ordered_only, 20020917);
    CHECK(tally.planted > 100);
    CHECK(100 * tally.found >= 99 * tally.planted);  // some mistakes change nothing: a block moves that is there
  };
  all_found("wrong peer", wrong_peer);
  all_found("off by one block", off_by_one);
  all_found("dropped step", dropped);
  all_found("swapped operands", swapped_operands, true);
  all_found("counted twice", counted_twice);
}
