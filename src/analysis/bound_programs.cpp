#include "analysis/bound_programs.hpp"

#include <algorithm>
#include <span>

#include "analysis/sets.hpp"
#include "analysis/text.hpp"

namespace tutti {
namespace {

/// What a step may not be, whatever it is bound to.  Throws Misuse.
struct Check {
  const Cells& cells;
  Rank me;
  int ranks;
  MatchedStep& matched;
  std::vector<BoundSet>& sets;
  int number;  ///< of the step

  void names(const Blocks& what) const { cells.check(what); }
  void names(const BlockList& list) const {
    for (const Blocks& run : list) cells.check(run);
  }
  void peer(Rank rank) const {
    if (rank < 0 || rank >= ranks) throw Misuse{"there is no rank " + std::to_string(rank)};
    if (rank == me) throw Misuse{"a rank sends nothing to itself"};
  }
  void message(Rank other, const BlockList& blocks, bool sized) {
    peer(other);
    names(blocks);
    for (const Blocks& run : blocks) {
      if (!sized) break;
      const std::vector<int> owners = cells.owners(run);
      matched.owners.insert(matched.owners.end(), owners.begin(), owners.end());
    }
  }

  void operator()(const Area& area) const { cells.check(area); }
  void operator()(const Peers& step) { declare(step, me, ranks, number, sets); }
  void operator()(const Send& step) {
    message(step.to, step.what, step.sized);
    if (step.sized && step.set != no_set) throw Misuse{"a sized message tells what one receiver asks of one sender"};
  }
  void operator()(const Receive& step) {
    message(step.from, step.into, step.sized);
    for (const Blocks& run : step.into)
      if (step.sized != (cells.learned(run) && run.count > 0))
        throw Misuse{step.sized ? "a sized message is received into learned positions alone"
                                : "a learned position's size comes with a sized message"};
  }
  void operator()(const ReceiveAny& step) {
    const auto set = std::ranges::find(sets, step.set, &BoundSet::number);
    if (set == sets.end()) throw Misuse{"set " + std::to_string(step.set) + " is not declared"};
    set->receives.push_back(number);
    names(step.into);
    for (const Blocks& run : step.into)
      if (cells.learned(run)) throw Misuse{"a learned position's size comes with a sized message"};
  }
  void operator()(const Reduce& step) const {
    names(step.from), names(step.into);
    if (cells.learned(step.from) || cells.learned(step.into)) throw Misuse{"nothing is reduced in a learned area"};
  }
  void operator()(const Copy& step) const { names(step.from), names(step.into); }
  void operator()(const Round&) const {}
};

/// A bound step's ranges as cells.  Throws Misuse.  Lengths are of elements: tokens have none.
class Take {
 public:
  Take(const Cells& cells, MatchedStep& matched) : cells_(cells), matched_(matched) {}

  void all(const BoundStep& bound, std::span<const Range> ranges) {
    const auto froms = static_cast<std::size_t>(bound.from);
    const std::int64_t from = read(ranges.first(froms)), into = write(ranges.subspan(froms));
    matched_.tokens = bound.token, matched_.sized = bound.sized, matched_.set = bound.set;
    matched_.length = bound.kind == BoundStep::Kind::send ? from : into;
    if (bound.message()) {
      matched_.peer = bound.peer;  // of a set: matched later
      return;
    }
    if (from != into) disagree(bound, from, into);
    if (bound.kind == BoundStep::Kind::copy) return one_position(bound);
    if (bound.from > 1 || bound.into > 1) throw Misuse{"the operands do not lie in one piece"};
    // A reduction combines with what it writes: the left operand is read first.
    const Run empty{}, operand = froms > 0 ? matched_.reads[0] : empty, result = into > 0 ? matched_.writes[0] : empty;
    matched_.reads = {operand, result}, matched_.writes = {result};
    if (bound.kind == BoundStep::Kind::reduce_right) std::swap(matched_.reads[0], matched_.reads[1]);
  }

 private:
  std::int64_t read(std::span<const Range> ranges) {
    std::int64_t length = 0;
    for (const Range& range : ranges) {
      const Run& run = matched_.reads.emplace_back(cells_.cells_of(range));
      if (range.space != token_space) length += run.length();
      if (const Run size = cells_.size_of(range); size.length() > 0) matched_.needs.push_back(size);
    }
    return length;
  }
  std::int64_t write(std::span<const Range> ranges) {
    std::int64_t length = 0;
    for (const Range& range : ranges) {
      const Run& run = matched_.writes.emplace_back(cells_.cells_of(range));
      if (range.space != token_space) length += run.length();
      if (cells_.is_input(run)) throw Misuse{"the input is never written"};
      if (const Run size = cells_.size_of(range); size.length() > 0) matched_.learns.push_back(size);
    }
    return length;
  }
  static void disagree(const BoundStep& bound, std::int64_t from, std::int64_t into) {
    if (bound.kind != BoundStep::Kind::copy) throw Misuse{"the operands differ in size"};
    throw Misuse{"copies " + std::to_string(from) + " elements into " + std::to_string(into)};
  }
  void one_position(const BoundStep& bound) const {
    if (!matched_.learns.empty() && (bound.from > 1 || bound.into != 1))
      throw Misuse{"a copy tells the size of one position"};
  }

  const Cells& cells_;
  MatchedStep& matched_;
};

bool overlap(const Run& a, const Run& b) { return std::max(a.begin, b.begin) < std::min(a.end, b.end); }

/// Memory is moved and combined without intermediate copies, so a step may not write a cell twice, nor, apart from the
/// operand that a reduce updates, what it reads.
void refuse_overlap(const Step& step, const MatchedStep& bound) {
  for (std::size_t i = 0; i < bound.writes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (overlap(bound.writes[i], bound.writes[j])) throw Misuse{"writes the same elements twice"};
  const auto* reduce = std::get_if<Reduce>(&step);
  for (std::size_t i = 0; i < bound.reads.size(); ++i) {
    if (reduce != nullptr && (i == 1) == reduce->from_left) continue;
    for (const Run& write : bound.writes)
      if (overlap(bound.reads[i], write)) throw Misuse{"writes what it reads"};
  }
}

/// Who wrote some cells last, and who has read them since.
struct Use {
  int writer = -1;
  std::vector<int> readers;
};

/// The uses of all cells.  Cells that no run of the program tells apart share one entry, so that the number of
/// elements does not matter.
class Uses {
 public:
  explicit Uses(const std::vector<MatchedStep>& steps) {
    for (const MatchedStep& step : steps) {
      for (const std::vector<Run>* runs : {&step.reads, &step.writes, &step.needs, &step.learns})
        for (const Run& run : *runs) bounds_.insert(bounds_.end(), {run.begin, run.end});
    }
    std::sort(bounds_.begin(), bounds_.end());
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
    uses_.resize(bounds_.size());
  }
  template <class Visit>
  void each(const std::vector<Run>& runs, const Visit& visit) {
    for (const Run& run : runs)
      for (std::size_t i = index(run.begin), end = index(run.end); i < end; ++i) visit(uses_[i]);
  }

 private:
  std::size_t index(std::int64_t bound) const {
    return static_cast<std::size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), bound) - bounds_.begin());
  }
  std::vector<std::int64_t> bounds_;
  std::vector<Use> uses_;  ///< uses_[i]: of the cells from bounds_[i] to the next bound
};

/// Direct conflicts suffice: an older step that conflicts as well has ended before the step in between could begin.
void order(std::vector<MatchedStep>& steps) {
  Uses uses(steps);
  for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
    MatchedStep& step = steps[static_cast<std::size_t>(i)];
    const auto wait_for = [&](int other) {
      if (other >= 0 && (step.after.empty() || step.after.back() != other)) step.after.push_back(other);
    };
    for (const auto* reads : {&step.reads, &step.needs})
      uses.each(*reads, [&](const Use& use) { wait_for(use.writer); });
    for (const auto* writes : {&step.writes, &step.learns})
      uses.each(*writes, [&](const Use& use) {
        wait_for(use.writer);
        for (int reader : use.readers) wait_for(reader);
      });
    for (const auto* reads : {&step.reads, &step.needs})
      uses.each(*reads, [&](Use& use) {
        if (use.readers.empty() || use.readers.back() != i) use.readers.push_back(i);
      });
    for (const auto* writes : {&step.writes, &step.learns})
      uses.each(*writes, [&](Use& use) {
        use.writer = i;
        use.readers.clear();
      });
    std::sort(step.after.begin(), step.after.end());
    step.after.erase(std::unique(step.after.begin(), step.after.end()), step.after.end());
  }
}

BoundProgram bind(const Problem& problem, Rank me, Schedule schedule) {
  BoundProgram result{program(std::move(schedule)), {}, Cells(problem, me), {}};
  result.bound.resize(result.steps.size());
  int round = 0, place = 0;
  BoundStep bound;
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    const Step& step = result.steps[i];
    MatchedStep& matched = result.bound[i];
    matched.round = round, matched.place = place;
    const bool marks = std::holds_alternative<Round>(step);
    round += marks, place += !marks && !declares(step);
    try {
      std::visit(Check{result.cells, me, problem.size, matched, result.sets, static_cast<int>(i)}, step);
      result.cells.bind(step, bound, ranges);
      if (marks || declares(step)) continue;
      Take(result.cells, matched).all(bound, ranges);
      refuse_overlap(step, matched);
    } catch (const Misuse& misuse) {
      throw Refuted{fault_at(me, static_cast<int>(i), result.steps, misuse.why)};
    }
  }
  order(result.bound);
  return result;
}

/// Steps of one rank that send to (or receive from) each peer, in program order, those in sets left out.
std::vector<std::vector<int>> messages(BoundProgram& rank, std::size_t ranks, bool sends) {
  std::vector<std::vector<int>> by_peer(ranks);
  for (int i = 0; i < static_cast<int>(rank.steps.size()); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (sends ? !std::holds_alternative<Send>(rank.steps[at]) : !std::holds_alternative<Receive>(rank.steps[at]))
      continue;
    if (rank.bound[at].set != no_set) continue;
    auto& list = by_peer[static_cast<std::size_t>(rank.bound[at].peer)];
    if (!list.empty()) rank.bound[at].earlier = list.back();
    list.push_back(i);
  }
  return by_peer;
}

/// The j-th send from a to b belongs to b's j-th receive from a.
void match(std::vector<BoundProgram>& all, Rank a, Rank b, const std::vector<int>& sends,
           const std::vector<int>& receives) {
  BoundProgram &source = all[static_cast<std::size_t>(a)], &destination = all[static_cast<std::size_t>(b)];
  for (std::size_t j = 0; j < std::min(sends.size(), receives.size()); ++j) {
    MatchedStep& send = source.bound[static_cast<std::size_t>(sends[j])];
    MatchedStep& receive = destination.bound[static_cast<std::size_t>(receives[j])];
    send.match = receives[j], receive.match = sends[j];
    if (send.length != receive.length || send.tokens != receive.tokens)
      throw Refuted{fault_at(b, receives[j], destination.steps,
                             "makes room for " + std::to_string(receive.length) + " elements, but rank " +
                                 std::to_string(a) + " sends " + std::to_string(send.length) + " (its step " +
                                 std::to_string(sends[j]) + ": " +
                                 to_text(source.steps[static_cast<std::size_t>(sends[j])]) + ")")};
    if (send.sized != receive.sized || send.owners != receive.owners)
      throw Refuted{fault_at(b, receives[j], destination.steps,
                             "expects the sizes of other blocks than rank " + std::to_string(a) + " tells (its step " +
                                 std::to_string(sends[j]) + ": " +
                                 to_text(source.steps[static_cast<std::size_t>(sends[j])]) + ")")};
  }
  const std::string counts = std::to_string(sends.size()) + " messages go from rank " + std::to_string(a) +
                             " to rank " + std::to_string(b) + ", which receives " + std::to_string(receives.size());
  if (sends.size() > receives.size()) throw Refuted{fault_at(a, sends[receives.size()], source.steps, counts)};
  if (sends.size() < receives.size()) throw Refuted{fault_at(b, receives[sends.size()], destination.steps, counts)};
}

}  // namespace

std::vector<BoundProgram> bind(const Problem& problem, const std::function<Schedule(Context)>& schedule) {
  std::vector<BoundProgram> all;
  for (Rank me = 0; me < problem.size; ++me) all.push_back(bind(problem, me, schedule(problem.context(me))));
  std::vector<std::vector<std::vector<int>>> sends, receives;
  for (BoundProgram& rank : all) {
    sends.push_back(messages(rank, all.size(), true));
    receives.push_back(messages(rank, all.size(), false));
  }
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < all.size(); ++b)
      match(all, static_cast<Rank>(a), static_cast<Rank>(b), sends[a][b], receives[b][a]);
  match_sets(all);
  return all;
}

}  // namespace tutti
