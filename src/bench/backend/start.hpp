#pragma once
/// How ranks begin a repetition together.
#include <algorithm>
#include <cstdint>

#include "bench/backend/global_clock.hpp"
#include "bench/backend/shared_lines.hpp"
#include "bench/backend/team.hpp"
#include "bench/options.hpp"

namespace tutti::bench {

/// Four ways:
///
/// - round: they agree on a time a little ahead, spin until then on the global clock, and leave within the clock's
/// error of each other.  A late rank reports it.
/// - flags: with more ranks than cores, where spinning would hold off the rank that is waited for, they start when all
///   have come to a row of shared flags: each as soon as it gets a core.  (A dissemination's last messages came 10 to
///   20 us after its first, which hid what a rooted call takes.)  One node.
/// - messages: leaving a dissemination of the benchmark's own messages is the start.
/// - barrier: leaving the MPI library's own barrier is, as in the Intel MPI Benchmarks and in OSU's; never chosen by
///   itself, since how ranks leave that differs from library to library.
class Start {
 public:
  /// Collective.  Sync::automatic: round with a core for each rank and a clock better than a barrier's messages, else
  /// flags on one node, else messages.
  Start(Team& team, const GlobalClock& clock, Sync wanted);

  Sync sync() const { return sync_; }
  /// About how many seconds apart the ranks begin; equal on all.
  double skew() const { return skew_; }

  /// Begins a repetition.  Returns how late this rank is, in seconds: 0 when in time.
  double operator()();
  /// Begins it so many seconds after a moment of the global clock that all agree on: sleeps, and spins the last 50 us.
  /// Returns how late it is then.
  double arrive(double delay);

  /// Waits until all have left the call, where ranks share cores: the next work of the first ones would keep the last
  /// ones from their cores.
  void all_out();

  /// Increases the margin before a start, because too many ranks were late.
  void widen_margin() { margin_ = std::max(margin_, std::min(1.5 * margin_, widest)); }

 private:
  Sync choose(Sync wanted);
  void meet();
  double usual_agreement();
  bool mostly_in_time();
  double until(double moment, bool sleeping) const;
  double agreed_moment();

  Team& team_;
  const GlobalClock& clock_;
  SharedLines lines_;                      ///< how many starts each rank has come to
  std::uint64_t starts_ = 0;               ///< the same on all ranks
  static constexpr double widest = 20e-3;  ///< some time slices: who is late then comes late for other reasons
  double margin_ = 0;                      ///< seconds between a rank's proposal of a start and that start
  double skew_ = 0;
  Sync sync_ = Sync::messages;
};

}  // namespace tutti::bench
