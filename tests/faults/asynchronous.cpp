#include "asynchronous.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include "analysis/meaning.hpp"
#include "analysis/text.hpp"

namespace tutti::faults {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// Contributions in the order in which they were combined; none: not to be used.
using Value = std::vector<std::uint64_t>;
using Values = std::vector<Value>;

constexpr std::uint64_t contribution(Rank rank, int owner, std::int64_t element) {
  return static_cast<std::uint64_t>(rank) << 48 | static_cast<std::uint64_t>(owner) << 32 |
         static_cast<std::uint64_t>(element);
}

enum class State : std::uint8_t { waiting, started, ended };

struct Place {
  Rank rank;
  int step;
};

struct Misbehaved {
  std::string why;
};

class Running {
 public:
  Running(const Problem& problem, const std::vector<BoundProgram>& ranks, std::uint32_t seed)
      : problem_(problem), ranks_(ranks), random_(seed), arrived_(ranks.size()), oldest_(ranks.size()) {
    for (Rank me = 0; me < problem.size; ++me) fill(me);
    constexpr int windows[] = {1, 2, 8, least_window, std::numeric_limits<int>::max()};
    window_ = windows[draw(std::size(windows))];
    buffered_ = static_cast<unsigned>(draw(3));  // sends that wait for their receives: all, half of them, none
  }

  const std::vector<Brought>& messages() const { return messages_; }

  void finish() {
    for (std::vector<Place> all = possible(); !all.empty(); all = possible()) {
      const Place place = all[draw(all.size())];
      if (place.step < 0)
        arrived_[at(place.rank)] = true;
      else if (state(place) == State::waiting)
        start(place);
      else
        end(place);
    }
    for (Rank me = 0; me < problem_.size; ++me) {
      if (oldest_[at(me)] < ranks_[at(me)].steps.size())
        fail({me, static_cast<int>(oldest_[at(me)])}, "comes to rest in");
      check(me);
    }
  }

 private:
  std::size_t draw(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }

  const MatchedStep& bound(const Place& place) const { return ranks_[at(place.rank)].bound[at(place.step)]; }
  const Step& step(const Place& place) const { return ranks_[at(place.rank)].steps[at(place.step)]; }
  State& state(const Place& place) { return states_[at(place.rank)][at(place.step)]; }

  void fill(Rank me) {
    const BoundProgram& program = ranks_[at(me)];
    states_.emplace_back(program.steps.size(), State::waiting);
    held_.emplace_back(program.steps.size());
    sent_.emplace_back(program.steps.size());
    taken_.emplace_back(program.steps.size());
    Values& memory = memory_.emplace_back(at(program.cells.size()));
    const auto hold = [&](const Run& run, int owner) {
      for (std::int64_t i = 0; i < run.length(); ++i) memory[at(run.begin + i)] = {contribution(me, owner, i)};
    };
    for (int owner = 0; owner < program.cells.owners(); ++owner)
      if (program.cells.exists(Buffer::input, owner)) hold(program.cells.input(owner), owner);
    if (const int own = held_before(problem_, me); own >= 0) hold(program.cells.output(own), own);
  }

  /// What may happen next: a rank arrives (step -1), a step starts, a step ends.
  std::vector<Place> possible() {
    std::vector<Place> all;
    for (Rank me = 0; me < problem_.size; ++me) {
      if (!arrived_[at(me)]) {
        all.push_back({me, -1});
        continue;
      }
      const std::vector<MatchedStep>& steps = ranks_[at(me)].bound;
      std::size_t& oldest = oldest_[at(me)];
      while (oldest < steps.size() && states_[at(me)][oldest] == State::ended) ++oldest;
      if (oldest == steps.size()) continue;
      for (std::size_t i = oldest; i < steps.size() && in_window(steps[oldest], steps[i]); ++i)
        if (const Place place{me, static_cast<int>(i)}; may_move(place)) all.push_back(place);
    }
    return all;
  }

  bool in_window(const MatchedStep& first, const MatchedStep& step) const {
    const bool in_round = step.round == first.round && step.place < first.place + least_window;
    return in_round || step.place - first.place < window_;
  }

  bool may_move(const Place& place) {
    const MatchedStep& what = bound(place);
    if (state(place) == State::ended) return false;
    if (state(place) == State::waiting) {
      if (what.earlier >= 0 && state({place.rank, what.earlier}) == State::waiting) return false;
      return std::all_of(what.after.begin(), what.after.end(), [&](int i) {
        return state({place.rank, i}) == State::ended;
      });
    }
    const bool sends = std::holds_alternative<Send>(step(place));
    if (what.peer < 0 || (sends && does_not_wait(place))) return true;
    if (what.set != no_set) return sends ? taken_[at(place.rank)][at(place.step)] : !under_way(place).empty();
    return state({what.peer, what.match}) != State::waiting;
  }

  /// The messages of its set that a step may receive.
  std::vector<Place> under_way(const Place& receive) {
    const BoundSet& set = *ranks_[at(receive.rank)].find_set(bound(receive).set);
    std::vector<Place> all;
    for (std::size_t i = 0; i < set.members.size(); ++i)
      if (const Place send{set.members[i], set.sends[i]};
          state(send) != State::waiting && !taken_[at(send.rank)][at(send.step)])
        all.push_back(send);
    return all;
  }

  /// The message that a step receives.
  Place message(const Place& receive) {
    if (bound(receive).set == no_set) return {bound(receive).peer, bound(receive).match};
    const std::vector<Place> all = under_way(receive);
    const Place one = all[draw(all.size())];
    taken_[at(one.rank)][at(one.step)] = true;
    return one;
  }

  bool does_not_wait(const Place& send) const { return (static_cast<unsigned>(send.step) + 1) % 2 < buffered_; }

  void start(const Place& place) {
    const MatchedStep& what = bound(place);
    state(place) = State::started;
    for (const Run& run : what.needs)
      for (const Value& size : read(place.rank, {run}))
        if (size.empty()) fail(place, "does not know the size it needs in");
    held_[at(place.rank)][at(place.step)] = read(place.rank, what.reads);
    if (!what.tokens) refuse_empty(place);
    if (std::holds_alternative<Send>(step(place))) {
      Values& payload = sent_[at(place.rank)][at(place.step)];
      payload = what.tokens ? Values{heard(place)} : held_[at(place.rank)][at(place.step)];
      messages_.push_back({place.rank, what.peer, payload});
    }
    for (const std::vector<Run>* runs : {&what.writes, &what.learns}) write(place.rank, *runs, {});
  }

  void refuse_empty(const Place& place) const {
    for (const Value& value : held_[at(place.rank)][at(place.step)])
      if (value.empty()) fail(place, "reads what is not there in");
  }

  /// Contributions stand for ranks here: the sender's, and those of all it has heard of.
  Value heard(const Place& place) const {
    Value all{contribution(place.rank, 0, 0)};
    for (const Value& token : held_[at(place.rank)][at(place.step)]) all.insert(all.end(), token.begin(), token.end());
    return all;
  }

  void end(const Place& place) {
    const MatchedStep& what = bound(place);
    const Step& kind = step(place);
    state(place) = State::ended;
    const auto* reduce = std::get_if<Reduce>(&kind);
    Values values = read(place.rank, what.reads);
    Values& before = held_[at(place.rank)][at(place.step)];
    const std::size_t half = at(what.length);
    if (reduce != nullptr) {  // the operand that is written has been unusable
      const std::size_t first = reduce->from_left ? half : 0;
      std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(first), half,
                  values.begin() + static_cast<std::ptrdiff_t>(first));
    }
    if (values != before) fail(place, "what it reads changes during");
    for (const Value& value : read(place.rank, what.writes))
      if (!value.empty()) fail(place, "another step writes what is written by");
    if (received(kind) != nullptr) {
      const Place sender = message(place);
      values = sent_[at(sender.rank)][at(sender.step)];
    }
    if (what.tokens) values.resize(read(place.rank, what.writes).size(), values.empty() ? Value{} : values[0]);
    if (reduce != nullptr) values = combined(std::move(values), half);
    write(place.rank, what.writes, values);
    write(place.rank, what.learns, Values(1, Value{1}));
    before = {};
  }

  static Values combined(Values operands, std::size_t half) {
    for (std::size_t i = 0; i < half; ++i)
      operands[i].insert(operands[i].end(), operands[half + i].begin(), operands[half + i].end());
    operands.resize(half);
    return operands;
  }

  Values read(Rank rank, const std::vector<Run>& runs) const {
    Values values;
    for (const Run& run : runs)
      for (std::int64_t cell = run.begin; cell < run.end; ++cell) values.push_back(memory_[at(rank)][at(cell)]);
    return values;
  }

  /// One value for each cell, or one for all, or none.
  void write(Rank rank, const std::vector<Run>& runs, const Values& values) {
    std::size_t i = 0;
    for (const Run& run : runs)
      for (std::int64_t cell = run.begin; cell < run.end; ++cell, ++i)
        memory_[at(rank)][at(cell)] = values.empty() ? Value{} : values[std::min(i, values.size() - 1)];
  }

  void check(Rank me) const {
    const Cells& cells = ranks_[at(me)].cells;
    if (problem_.collective == Collective::barrier) return check_barrier(me);
    for (int owner = 0; owner < cells.owners(); ++owner) {
      if (!cells.exists(Buffer::output, owner)) continue;
      const std::optional<Outcome> outcome = held_after(problem_, me, owner);
      if (!outcome) continue;
      const Run run = cells.output(owner);
      for (std::int64_t i = 0; i < run.length(); ++i) {
        Value value = memory_[at(me)][at(run.begin + i)], expected;
        for (Rank rank = outcome->first; rank < outcome->end; ++rank)
          expected.push_back(contribution(rank, outcome->owner, i));
        if (!problem_.ordered) std::sort(value.begin(), value.end());
        if (value != expected)
          throw Misbehaved{"rank " + std::to_string(me) + " ends with a wrong element " + std::to_string(i) + " of " +
                           to_text(output(owner))};
      }
    }
  }

  void check_barrier(Rank me) const {
    Value all{contribution(me, 0, 0)};
    for (const Value& token : memory_[at(me)]) all.insert(all.end(), token.begin(), token.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.size() != at(problem_.size))
      throw Misbehaved{"rank " + std::to_string(me) + " leaves the barrier too early"};
  }

  [[noreturn]] void fail(const Place& place, const std::string& what) const {
    throw Misbehaved{"rank " + std::to_string(place.rank) + " " + what + " step " + std::to_string(place.step) + ": " +
                     to_text(step(place))};
  }

  const Problem& problem_;
  const std::vector<BoundProgram>& ranks_;
  std::mt19937 random_;
  int window_ = 0;
  unsigned buffered_ = 0;
  std::vector<bool> arrived_;
  std::vector<std::size_t> oldest_;
  std::vector<std::vector<State>> states_;
  std::vector<Values> memory_;
  std::vector<Brought> messages_;
  std::vector<std::vector<bool>> taken_;          ///< messages of sets that have been received
  std::vector<std::vector<Values>> held_, sent_;  ///< by rank and step: what it read at its start; a send's payload
};

}  // namespace

Result run(const Problem& problem, const std::vector<BoundProgram>& ranks, std::uint32_t seed) {
  Running running(problem, ranks, seed);
  std::string wrong;
  try {
    running.finish();
  } catch (const Misbehaved& misbehaved) {
    wrong = misbehaved.why;
  }
  return {wrong, running.messages()};
}

}  // namespace tutti::faults
