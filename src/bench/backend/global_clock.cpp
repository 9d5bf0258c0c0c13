#include "bench/backend/global_clock.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/clock/clock_lessons.hpp"
#include "clock/machine.hpp"

namespace tutti::bench {

namespace {

constexpr double stop = -1, ask = 1;
constexpr int trips_of_a_sample = 10, samples_of_a_lesson = 200, trips_of_a_check = 100;

/// Exact in a double.
double machine_identity() {
  constexpr std::size_t exact = (std::size_t{1} << 53) - 1;
  return static_cast<double>(std::hash<std::string>{}(kernel_clock_identity()) & exact);
}

/// Lets others have the core until then.
void pause_until(const ClockSource& clock, double moment) {
  while (clock() < moment) sched_yield();
}

}  // namespace

GlobalClock::GlobalClock(Team& team, const ClockOptions& options) : team_(team) {
  choose_source(options);
  shared_ = find_sharers(options.forced);
  const double begin = now();
  if (!shared_) synchronise(options.seconds);
  std::array<double, 1> spent = {now() - begin};
  team_.maximum(spent);
  seconds_ = shared_ ? 0 : spent[0];
}

/// Every rank tests every clock; the worst result of any rank counts.
void GlobalClock::choose_source(const ClockOptions& options) {
  constexpr std::size_t kinds = clock_kinds.size();
  const auto source_of = [cycle = cycles_are_invariant() ? seconds_per_cycle() : 0](ClockKind kind) {
    return ClockSource(kind, PMPI_Wtime, cycle);
  };
  std::array<double, 3 * kinds> seen{};
  for (std::size_t i = 0; i < kinds; ++i) {
    const ClockFacts facts = examine(source_of(clock_kinds[i]));
    seen[3 * i] = facts.cost, seen[3 * i + 1] = facts.step, seen[3 * i + 2] = facts.unfit;
  }
  team_.maximum(seen);
  std::array<ClockFacts, kinds> facts;
  for (std::size_t i = 0; i < kinds; ++i) facts[i] = {seen[3 * i], seen[3 * i + 1], seen[3 * i + 2]};
  const ClockKind kind = options.source.value_or(best_of(facts));
  const ClockFacts& chosen = facts[static_cast<std::size_t>(kind)];
  if (chosen.unfit > 0) throw std::invalid_argument("--clock-source: not every rank has " + std::string(name(kind)));
  cost_ = chosen.cost;
  source_ = source_of(kind);
}

/// Finds the ranks of the node that read the same clock.  Returns whether all ranks do.  Cycles count at a rate that
/// each has measured: sharers take the first one's.
bool GlobalClock::find_sharers(bool forced) {
  const std::optional<ClockSkew> skew = skew_of(team_.rank());
  if (skew_of(0)) throw std::invalid_argument("TUTTI_BENCH_CLOCK_SKEW: rank 0's clock is the global one");
  const bool own = source_.kind() == ClockKind::mpi_wtime || skew.has_value();
  const std::array<double, 3> mine = {machine_identity(), own ? 1.0 : 0.0, source_.seconds_per_cycle()};
  const std::vector<double> all = team_.table(mine);
  const auto fact = [&](int rank, int which) {
    return all[std::size_t{3} * static_cast<std::size_t>(rank) + static_cast<std::size_t>(which)];
  };
  const auto same = [&](int a, int b) { return fact(a, 0) == fact(b, 0) && fact(a, 1) + fact(b, 1) == 0; };
  bool one = true;
  for (int rank = 0; rank < team_.size(); ++rank) {
    int sharer = team_.leader_of(rank);
    while (sharer < rank && (forced || team_.leader_of(sharer) != team_.leader_of(rank) || !same(sharer, rank)))
      ++sharer;
    sharer_.push_back(sharer);
    one = one && same(0, rank);
  }
  one = (one || team_.size() == 1) && !forced;
  same_machine_ = source_.kind() != ClockKind::mpi_wtime && fact(0, 0) == mine[0];
  const int model = same_machine_ ? 0 : sharer_[static_cast<std::size_t>(team_.rank())];
  source_ = ClockSource(source_.kind(), PMPI_Wtime, fact(model, 2));
  if (skew) source_.skew(*skew);
  return one;
}

/// Node leaders synchronise first, from rank 0 down; then in each node the ranks that do not share its leader's clock.
void GlobalClock::synchronise(double seconds) {
  std::vector<int> leaders, learners;
  for (int rank = 0; rank < team_.size(); ++rank) {
    if (team_.leader_of(rank) == rank) leaders.push_back(rank);
    if (team_.leader_of(rank) == team_.leader_of(team_.rank()) && sharer_[static_cast<std::size_t>(rank)] == rank)
      learners.push_back(rank);
  }
  take_part(leaders, seconds);
  take_part(learners, seconds);
  take_over();
}

/// Rank 0 or a node's leader is the first of them, and knows.
void GlobalClock::take_part(std::span<const int> members, double seconds) {
  const auto me = std::find(members.begin(), members.end(), team_.rank());
  if (me == members.end()) return;
  const int place = static_cast<int>(me - members.begin());
  for (const Lesson& lesson : clock_lessons(place, static_cast<int>(members.size()))) {
    if (lesson.teacher == place)
      answer(members[static_cast<std::size_t>(lesson.learner)]);
    else
      learn(members[static_cast<std::size_t>(lesson.teacher)], seconds);
  }
}

/// From the rank whose clock this one shares.
void GlobalClock::take_over() {
  std::array<double, 4> model = {model_.origin, model_.intercept, model_.slope, model_.slope_within};
  const int mine = sharer_[static_cast<std::size_t>(team_.rank())];
  if (mine != team_.rank()) {
    team_.receive(mine, model);
    model_ = {model[0], model[1], model[2], model[3]};
    return;
  }
  for (int rank = mine + 1; rank < team_.size(); ++rank)
    if (sharer_[static_cast<std::size_t>(rank)] == mine) team_.send(rank, model);
}

/// Samples are spread over the time, because their distance reveals a drift.  The time begins with the first answer: a
/// teacher may be busy with others until then, for as long as one synchronisation.
void GlobalClock::learn(int teacher, double seconds) {
  std::vector<OffsetSample> samples;
  compare(teacher, 1);
  const double begin = now();
  for (int i = 0; i < samples_of_a_lesson; ++i) {
    pause_until(source_, begin + seconds * i / samples_of_a_lesson);
    samples.push_back(compare(teacher, trips_of_a_sample));
  }
  const std::array<double, 1> end = {stop};
  team_.send(teacher, end);
  model_ = fit(samples);
}

/// Compares this rank's own clock with the global clock of `with`, which answers: the tightest of some round trips.
OffsetSample GlobalClock::compare(int with, int trips) {
  OffsetSample tightest;
  tightest.round_trip = std::numeric_limits<double>::max();
  for (int i = 0; i < trips; ++i) {
    std::array<double, 1> message = {ask};
    const double begin = now();
    team_.send(with, message);
    team_.receive(with, message);
    const double end = now();
    if (end - begin < tightest.round_trip) tightest = {(begin + end) / 2, (begin + end) / 2 - message[0], end - begin};
  }
  return tightest;
}

void GlobalClock::answer(int to) {
  std::array<double, 1> message{};
  for (team_.receive(to, message); message[0] != stop; team_.receive(to, message)) {
    message[0] = global(now());
    team_.send(to, message);
  }
}

/// The least that global clocks show between sending and receiving, over messages that go one way alone: the transit
/// and what the receiver's clock is ahead.  The receiver gets it.
double GlobalClock::one_way(int other, bool asking) {
  constexpr int messages = 60;
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < messages; ++i) {
    std::array<double, 1> message{};
    if (asking) {
      pause_until(source_, now() + 20e-6);  // so that no message waits behind another
      message[0] = global(now());
      team_.send(other, message);
    } else {
      team_.receive(other, message);
      least = std::min(least, global(now()) - message[0]);
    }
  }
  return least;
}

/// Those that have learned on their own, 64 of them at most; of a shared clock some.
std::vector<int> GlobalClock::checked_ranks() const {
  const std::size_t most = shared_ ? 8 : 64;
  std::vector<int> all, some;
  for (int rank = 1; rank < team_.size(); ++rank)
    if (shared_ || sharer_[static_cast<std::size_t>(rank)] == rank) all.push_back(rank);
  const std::size_t step = std::max<std::size_t>(1, (all.size() + most - 1) / most);
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

ClockReport GlobalClock::check(const char* when) {
  constexpr std::size_t fields = 7;
  std::array<double, fields + 1> mine{};
  mine[fields] = same_machine_ ? 1 : 0;
  const std::vector<int> checked = checked_ranks();
  for (const int rank : checked) {
    if (team_.rank() == 0) {
      answer(rank);
      one_way(rank, true);
      const std::array<double, 1> back = {one_way(rank, false)};
      team_.send(rank, back);
    } else if (team_.rank() == rank) {
      const OffsetSample sample = compare(0, trips_of_a_check);
      const double error = sample.offset - (sample.local - global(sample.local));
      const std::array<double, 1> end = {stop};
      team_.send(0, end);
      const double down = one_way(0, false);
      one_way(0, true);
      std::array<double, 1> up{};
      team_.receive(0, up);
      const double true_time = source_.unskewed(), time = source_.skewed(true_time);
      mine = {time - global(time),   model_.slope,       model_.slope_within,      error,
              sample.round_trip / 2, (down - up[0]) / 2, global(time) - true_time, mine[fields]};
    }
  }
  const std::vector<double> all = team_.table(mine);
  ClockReport report{when, std::string(name(kind())), shared_, true, cost_, seconds_, {}};
  const auto row_of = [&](int rank) { return all.data() + (fields + 1) * static_cast<std::size_t>(rank); };
  for (int rank = 0; rank < team_.size(); ++rank)
    if (row_of(rank)[fields] == 0) report.one_machine = false;
  for (const int rank : checked) {
    const double* row = row_of(rank);
    report.ranks.push_back({rank, row[0], row[1], row[2], row[3], row[4], row[5], row[6]});
  }
  error_ = shared_ ? 0 : std::max(report.largest(&ClockError::error), report.largest(&ClockError::uncertainty));
  return report;
}

}  // namespace tutti::bench
