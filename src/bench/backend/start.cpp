#include "bench/backend/start.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace tutti::bench {

namespace {

constexpr double spin = 50e-6;  ///< seconds before a moment in which a rank keeps its core

/// The kernel may wake a process as late as its timer slack, 50 us unless said otherwise.
void sleep_for(double seconds) {
  constexpr double nano = 1e9;
  const auto whole = static_cast<time_t>(seconds);
  const timespec duration{whole, static_cast<long>((seconds - static_cast<double>(whole)) * nano)};
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  nanosleep(&duration, nullptr);
  prctl(PR_SET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL);  // the usual
}

}  // namespace

Start::Start(Team& team, const GlobalClock& clock, Sync wanted) : team_(team), clock_(clock), sync_(choose(wanted)) {}

Sync Start::choose(Sync wanted) {
  if (wanted == Sync::flags && !team_.one_node()) throw std::invalid_argument("--sync flags is for ranks on one node");
  const bool oversubscribed_node = team_.one_node() && team_.oversubscribed();
  if (wanted == Sync::flags || (wanted == Sync::automatic && oversubscribed_node))
    lines_ = SharedLines(team_, static_cast<std::size_t>(team_.size()));
  if (wanted == Sync::flags && !lines_) throw std::invalid_argument("--sync flags: the ranks cannot share memory");
  const double usual = usual_agreement();
  // The margin covers an agreement, with some reserve; late starts widen it later.
  margin_ = 2 * usual + 0.5e-6;
  skew_ = usual;
  if (lines_) return Sync::flags;
  if (wanted == Sync::barrier || wanted == Sync::messages) return wanted;
  if (wanted == Sync::automatic && (team_.oversubscribed() || clock_.error() > usual)) return Sync::messages;
  // With fewer cores than ranks on a node after all, hardly any rank is in time.
  if (wanted == Sync::automatic && !team_.one_node() && !mostly_in_time()) return Sync::messages;
  skew_ = 2 * clock_.cost() + clock_.error();
  return Sync::round;
}

/// Of some trials, after as many to widen the margin.
bool Start::mostly_in_time() {
  constexpr int trials = 20, attempts = 5;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    int late = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::array<double, 1> lateness = {until(agreed_moment(), false)};
      team_.maximum(lateness);
      if (lateness[0] > 0) ++late;
    }
    if (5 * late <= trials) return true;
    widen_margin();
  }
  return false;
}

/// Seconds that an agreement usually takes; equal on all ranks.
double Start::usual_agreement() {
  constexpr std::size_t rounds = 200;
  std::vector<double> times(rounds);
  for (double& time : times) {
    std::array<double, 1> value = {0};
    const double begin = now();
    lines_ ? meet() : team_.maximum(value);
    time = now() - begin;
  }
  std::nth_element(times.begin(), times.begin() + rounds * 3 / 4, times.end());
  std::array<double, 1> usual = {times[rounds * 3 / 4]};
  team_.maximum(usual);
  return usual[0];
}

/// All have arrived when all flags are set; each is written by its rank alone.  A long wait makes MPI progress at
/// intervals, because another rank's call may need it to end.
void Start::meet() {
  constexpr int polls_before_progress = 200;
  ++starts_;
  lines_[static_cast<std::size_t>(team_.rank())].store(starts_, std::memory_order_release);
  int polls = 0;
  for (int other = 0; other < team_.size(); ++other)
    while (lines_[static_cast<std::size_t>(other)].load(std::memory_order_acquire) < starts_) {
      sched_yield();
      if (++polls % polls_before_progress == 0) team_.progress();
    }
}

/// On the global clock, the same on all ranks.
double Start::agreed_moment() {
  std::array<double, 1> moment = {clock_.global(clock_.now()) + margin_};
  team_.maximum(moment);
  return moment[0];
}

/// Spins, or sleeps first, until that moment of the global clock.  How late it was when this began; of a sleeper when
/// it ended, since on a busy machine a rank wakes late.
double Start::until(double moment, bool sleeping) const {
  const double mine = clock_.local(moment);
  double time = clock_.now();
  if (time > mine) return time - mine;
  for (; time < mine; time = clock_.now()) {
    const double left = mine - time - spin;
    if (left > 0) sleeping ? sleep_for(left) : static_cast<void>(sched_yield());
  }
  return sleeping ? time - mine : 0;
}

double Start::arrive(double delay) { return until(agreed_moment() + delay, true); }

void Start::all_out() {
  if (!team_.oversubscribed()) return;
  if (lines_) return meet();
  std::array<double, 1> nothing = {0};
  team_.maximum(nothing);
}

double Start::operator()() {
  if (sync_ == Sync::round) return until(agreed_moment(), false);
  if (sync_ == Sync::flags) {
    meet();
    return 0;
  }
  if (sync_ == Sync::barrier) {
    team_.barrier();
    return 0;
  }
  std::array<double, 1> nothing = {0};
  team_.maximum(nothing);
  return 0;
}

}  // namespace tutti::bench
