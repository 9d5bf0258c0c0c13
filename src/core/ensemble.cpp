#include "core/ensemble.hpp"

#include <algorithm>

#include "core/sets.hpp"
#include "core/text.hpp"

namespace tutti {
namespace {

/// The cells of one step.  Throws Misuse.
struct Bind {
  Cells& cells;
  Rank me;
  int ranks;
  BoundStep& bound;
  std::vector<BoundSet>& sets;
  int number;  ///< of the step

  void read(const Blocks& what) {
    add(what, bound.reads);
    if (const Run sizes = cells.sizes(what); sizes.length() > 0) bound.needs.push_back(sizes);
  }
  void write(const Blocks& what) {
    add(what, bound.writes);
    if (cells.is_input(bound.writes.back())) throw Misuse{"the input is never written"};
    if (const Run sizes = cells.sizes(what); sizes.length() > 0) bound.learns.push_back(sizes);
  }
  void message(Rank other, const BlockList& blocks, bool sized) {
    peer(other);
    bound.sized = sized;
    for (const Blocks& run : blocks) {
      if (!sized) break;
      const std::vector<int> owners = cells.owners(run);
      bound.owners.insert(bound.owners.end(), owners.begin(), owners.end());
    }
  }
  void add(const Blocks& what, std::vector<Run>& runs) {
    runs.push_back(cells.find(what));
    bound.tokens = bound.tokens || what.buffer == Buffer::token;
    if (what.buffer != Buffer::token) bound.length += runs.back().length();
  }
  void peer(Rank rank) {
    if (rank < 0 || rank >= ranks) throw Misuse{"there is no rank " + std::to_string(rank)};
    if (rank == me) throw Misuse{"a rank sends nothing to itself"};
    bound.peer = rank;
  }

  void operator()(const Area& area) { cells.declare(area); }
  void operator()(const Peers& step) { declare(step, me, ranks, number, sets); }
  void operator()(const Send& step) {
    message(step.to, step.what, step.sized);
    if (step.sized && step.set != no_set) throw Misuse{"a sized message tells what one receiver asks of one sender"};
    bound.set = step.set;
    for (const Blocks& run : step.what) read(run);
  }
  void operator()(const Receive& step) {
    message(step.from, step.into, step.sized);
    for (const Blocks& run : step.into) {
      write(run);
      if (step.sized != (cells.sizes(run).length() > 0))
        throw Misuse{step.sized ? "a sized message is received into learned positions alone"
                                : "a learned position's size comes with a sized message"};
    }
  }
  void operator()(const ReceiveAny& step) {
    const auto set = std::ranges::find(sets, step.set, &BoundSet::number);
    if (set == sets.end()) throw Misuse{"set " + std::to_string(step.set) + " is not declared"};
    set->receives.push_back(number);
    bound.set = step.set;
    for (const Blocks& run : step.into) write(run);
    if (!bound.learns.empty()) throw Misuse{"a learned position's size comes with a sized message"};
  }
  void operator()(const Reduce& step) {
    read(step.from_left ? step.from : step.into);
    read(step.from_left ? step.into : step.from);
    if (bound.reads[0].length() != bound.reads[1].length()) throw Misuse{"the operands differ in size"};
    bound.length = 0;
    write(step.into);
    if (!bound.needs.empty()) throw Misuse{"nothing is reduced in a learned area"};
  }
  void operator()(const Copy& step) {
    for (const Blocks& run : step.from) read(run);
    const std::int64_t from = bound.length;
    bound.length = 0;
    for (const Blocks& run : step.into) write(run);
    if (bound.length != from)
      throw Misuse{"copies " + std::to_string(from) + " elements into " + std::to_string(bound.length)};
    if (!bound.learns.empty() && (step.from.size() != 1 || bound.learns.size() != 1 || bound.learns[0].length() != 1))
      throw Misuse{"a copy tells the size of one position"};
  }
  void operator()(const Round&) {}
};

bool overlap(const Run& a, const Run& b) { return std::max(a.begin, b.begin) < std::min(a.end, b.end); }

/// Memory is moved and combined without intermediate copies, so a step may not write a cell twice, nor, apart from the
/// operand that a reduce updates, what it reads.
void refuse_overlap(const Step& step, const BoundStep& bound) {
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
  explicit Uses(const std::vector<BoundStep>& steps) {
    for (const BoundStep& step : steps) {
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
void order(std::vector<BoundStep>& steps) {
  Uses uses(steps);
  for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
    BoundStep& step = steps[static_cast<std::size_t>(i)];
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
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    const Step& step = result.steps[i];
    BoundStep& bound = result.bound[i];
    bound.round = round, bound.place = place;
    if (std::holds_alternative<Round>(step))
      ++round;
    else if (!declares(step))
      ++place;
    try {
      std::visit(Bind{result.cells, me, problem.size, bound, result.sets, static_cast<int>(i)}, step);
      refuse_overlap(step, bound);
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
    BoundStep& send = source.bound[static_cast<std::size_t>(sends[j])];
    BoundStep& receive = destination.bound[static_cast<std::size_t>(receives[j])];
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
