#pragma once
/// One clock for all ranks: rank 0's.
///
/// Processes that read one kernel's clock, or one machine's cycle counter, share it unchanged.  Else each node's leader
/// determines offset and drift of its clock by HCA3 (Hunold & Carpen-Amarie, "Hierarchical clock synchronization in
/// MPI", CLUSTER 2018), and the other ranks of the node take its result.
#include "bench/backend/team.hpp"
#include "bench/clock/clock_model.hpp"
#include "bench/clock/clock_report.hpp"
#include "bench/clock/clock_source.hpp"
#include "bench/options.hpp"

namespace tutti::bench {

class GlobalClock {
 public:
  /// Collective: chooses a source, the same on all ranks, synchronises, and checks the outcome.
  GlobalClock(Team& team, const ClockOptions& options);

  ClockKind kind() const { return source_.kind(); }
  /// Seconds for one reading: the slowest rank's, equal on all.
  double cost() const { return cost_; }
  /// The largest residual error that the last check found, or what that check could not have seen; equal on all ranks.
  double error() const { return error_; }

  /// This rank's own clock.
  double now() const { return source_(); }
  double global(double local) const { return model_.global(local); }
  /// This rank's time when the global clock shows that.
  double local(double global) const { return model_.local(global); }

  /// Collective: measures how far the ranks' global clocks are from rank 0's, in two ways.  Complete on all ranks.
  ClockReport check(const char* when);

 private:
  void choose_source(const ClockOptions& options);
  bool find_sharers(bool forced);
  void synchronise(double seconds);
  void take_part(std::span<const int> members, double seconds);
  void take_over();
  void learn(int teacher, double seconds);
  OffsetSample compare(int with, int trips);
  void answer(int to);
  double one_way(int other, bool asking);
  std::vector<int> checked_ranks() const;

  Team& team_;
  ClockSource source_;
  ClockModel model_;
  std::vector<int> sharer_;   ///< of each rank: the least of its node that reads the very same clock
  bool shared_ = true;        ///< all ranks read one clock, and nothing had to be learned
  bool same_machine_ = true;  ///< this rank reads rank 0's clock, wrong on purpose perhaps
  double cost_ = 0, error_ = 0, seconds_ = 0;
};

}  // namespace tutti::bench
