#include "analysis/one_cut.hpp"

#include <algorithm>

namespace tutti {
namespace {

/// Into how many parts the step cuts a block; 1 where it cuts none.
int cut_by(const Step& step) {
  int parts = 1;
  each_run(step, [&](const Blocks& run) { parts = std::max(parts, run.of); });
  return parts;
}

std::string into(int parts) { return "into " + std::to_string(parts) + " parts"; }

void check_rank(Rank me, const Program& steps) {
  int parts = 1;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (const auto* mark = std::get_if<Round>(&steps[i]); mark && mark->fence) parts = 1;
    each_run(steps[i], [&](const Blocks& run) {
      if (run.of == 1) return;
      if (parts > 1 && run.of != parts)
        throw Refuted{fault_at(me, static_cast<int>(i), steps,
                               "cuts a block " + into(run.of) + ", but a step since the last fence " + into(parts) +
                                   ": what they share would depend on its size")};
      parts = run.of;
    });
  }
}

void check_ends(const Program& sender, int send, Rank receiver, const Program& steps, int receive) {
  const int there = cut_by(sender[static_cast<std::size_t>(send)]);
  const int here = cut_by(steps[static_cast<std::size_t>(receive)]);
  if (there > 1 && here > 1 && there != here)
    throw Refuted{fault_at(receiver, receive, steps, "cuts a block " + into(here) + ", but its sender " + into(there))};
}

}  // namespace

void check_one_cut(const std::vector<BoundProgram>& ranks) {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const BoundProgram& program = ranks[rank];
    const auto me = static_cast<Rank>(rank);
    check_rank(me, program.steps);
    for (std::size_t i = 0; i < program.steps.size(); ++i)
      if (std::holds_alternative<Receive>(program.steps[i]))
        check_ends(ranks[static_cast<std::size_t>(program.bound[i].peer)].steps, program.bound[i].match, me,
                   program.steps, static_cast<int>(i));
    for (const BoundSet& set : program.sets)
      for (std::size_t i = 0; i < set.members.size(); ++i)
        check_ends(ranks[static_cast<std::size_t>(set.members[i])].steps, set.sends[i], me, program.steps,
                   set.receives[0]);
  }
}

}  // namespace tutti
