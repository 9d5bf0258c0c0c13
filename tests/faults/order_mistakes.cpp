/// Steps that come too early, or wait in a circle.
#include <algorithm>

#include "analysis/bound_programs.hpp"
#include "mistake.hpp"

namespace tutti::faults {
namespace {

enum class Access { reads, writes };

bool overlap(const std::vector<Run>& some, const std::vector<Run>& others) {
  for (const Run& a : some)
    for (const Run& b : others)
      if (std::max(a.begin, b.begin) < std::min(a.end, b.end)) return true;
  return false;
}

/// Moves a step of that kind before the last one that uses in that way what the step uses in the other.
template <class Kind, Access theirs>
bool before(const Site& site) {
  if (site.as<Kind>() == nullptr) return false;
  const std::vector<BoundProgram> ranks = bind(site.subject.problem(), [&](Context context) {
    return schedule_of(site.programs[static_cast<std::size_t>(context.me)]);
  });
  const std::vector<MatchedStep>& steps = ranks[static_cast<std::size_t>(site.place.rank)].bound;
  const MatchedStep& mine = steps[site.place.step];
  for (std::size_t i = site.place.step; i-- > 0;) {
    const bool meets =
        theirs == Access::writes ? overlap(steps[i].writes, mine.reads) : overlap(steps[i].reads, mine.writes);
    if (!meets) continue;
    const auto at = [&](std::size_t step) { return site.program().begin() + static_cast<std::ptrdiff_t>(step); };
    std::rotate(at(i), at(site.place.step), at(site.place.step + 1));
    return true;
  }
  return false;
}

/// The steps [first, end) of a rank's marked round; its mark is at `end`.
struct Span {
  std::size_t first = 0, end = 0;
};

Span round_of(const Program& program, int round) {
  Span span;
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (!std::holds_alternative<Round>(program[i])) continue;
    span = {span.end == 0 ? 0 : span.end + 1, i};
    if (round-- == 0) return span;
  }
  return {program.size(), program.size()};
}

bool sends_and_receives(const Program& program, const Span& round) {
  bool sends = false, receives = false;
  for (std::size_t i = round.first; i < round.end; ++i) {
    sends = sends || std::holds_alternative<Send>(program[i]);
    receives = receives || received(program[i]) != nullptr;
  }
  return sends && receives;
}

int marks_before(const Program& program, std::size_t step) {
  return static_cast<int>(std::count_if(program.begin(), program.begin() + static_cast<std::ptrdiff_t>(step),
                                        [](const Step& one) { return std::holds_alternative<Round>(one); }));
}

/// All that the rank receives in its round is sent in the senders' rounds of the same number.
bool fed_from_the_same(const Programs& programs, Rank rank, int round) {
  const Program& program = programs[static_cast<std::size_t>(rank)];
  const Span span = round_of(program, round);
  for (std::size_t i = span.first; i < span.end; ++i) {
    if (!std::holds_alternative<Receive>(program[i])) continue;
    const Place sender = other_end(programs, {rank, i});
    if (marks_before(programs[static_cast<std::size_t>(sender.rank)], sender.step) != round) return false;
  }
  return true;
}

/// In one marked round, in which all ranks send and receive, all receive first and send in a round after it: nobody
/// can begin.
bool cyclic_wait(const Site& site) {
  const int round = marks_before(site.program(), site.place.step);
  for (Rank rank = 0; rank < site.subject.size; ++rank) {
    const Program& program = site.programs[static_cast<std::size_t>(rank)];
    if (!sends_and_receives(program, round_of(program, round)) || !fed_from_the_same(site.programs, rank, round))
      return false;
  }
  for (Program& program : site.programs) {
    const Span span = round_of(program, round);
    const auto at = [&](std::size_t step) { return program.begin() + static_cast<std::ptrdiff_t>(step); };
    const auto sends = std::stable_partition(at(span.first), at(span.end),
                                             [](const Step& step) { return !std::holds_alternative<Send>(step); });
    program.insert(sends, round_mark());
  }
  return true;
}

/// Two rounds in one, where a rank claims to need one port.
bool merged_rounds(const Site& site) {
  if (site.as<Round>() == nullptr || !site.subject.algorithm->constraints.one_ported) return false;
  bool sends[2] = {false, false}, receives[2] = {false, false};
  const Program& program = site.program();
  const auto note = [&](const Step& step, int side) {
    sends[side] = sends[side] || std::holds_alternative<Send>(step);
    receives[side] = receives[side] || received(step) != nullptr;
  };
  for (std::size_t i = site.place.step; i-- > 0 && !std::holds_alternative<Round>(program[i]);) note(program[i], 0);
  for (std::size_t i = site.place.step + 1; i < program.size() && !std::holds_alternative<Round>(program[i]); ++i)
    note(program[i], 1);
  if (!(sends[0] && sends[1]) && !(receives[0] && receives[1])) return false;
  site.program().erase(site.program().begin() + static_cast<std::ptrdiff_t>(site.place.step));
  return true;
}

constexpr Mistake all[] = {
    {"sends before it has it", before<Send, Access::writes>},
    {"reduces before it has it", before<Reduce, Access::writes>},
    {"copies before it has it", before<Copy, Access::writes>},
    {"receives over what is still needed", before<Receive, Access::reads>},
    {"receives from any over what is still needed", before<ReceiveAny, Access::reads>},
    {"reduces into what is still needed", before<Reduce, Access::reads>},
    {"cyclic wait", cyclic_wait},
    {"two rounds in one", merged_rounds},
};

}  // namespace

std::span<const Mistake> order_mistakes() { return all; }

}  // namespace tutti::faults
