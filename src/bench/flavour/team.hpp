#pragma once
/// The ranks of a measurement, and what they tell each other outside the timed part: by point-to-point messages of
/// their own, never by a collective that may be under test.
#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "bench/flavour/shared_lines.hpp"

namespace tutti::bench {

/// Seconds of CLOCK_MONOTONIC, which all processes of a node share.
double now();

class Team {
 public:
  /// Collective over MPI_COMM_WORLD.
  Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  int ranks_on_node() const { return ranks_on_node_; }
  int cpus() const { return cpus_; }
  bool common_start() const { return common_start_; }
  /// Seconds for one reading of the clock: the slowest rank's, equal on all.
  double clock_cost() const { return clock_cost_; }
  /// About how many seconds apart the ranks begin after start(); equal on all.
  double start_skew() const { return start_skew_; }

  /// Element-wise maximum over the ranks; all of them get it, bit-identical, so that what they decide from it is one
  /// decision.  Dissemination: ceil(log2 p) rounds for any p (a maximum may count a rank twice).  It ends on no rank
  /// before it has begun on all.
  void maximum(std::span<double> values);

  /// Begins a repetition on all ranks together.  Returns how late this rank is, in seconds: 0 when in time.
  ///
  /// On one node with a core for each rank they agree on a moment a little ahead, spin to it on the shared clock, and
  /// leave within a clock reading of each other.  With more ranks than cores, where spinning would hold off the rank
  /// that is waited for, they start when all have come to a row of shared flags: each as soon as it gets a core.  (The
  /// dissemination's last messages came 10 to 20 us after its first, which hid what a rooted call takes.)  On several
  /// nodes leaving the dissemination is the start.  These two are never late.
  double start();

  /// Waits longer before a start, since too many ranks came late.
  void widen_margin() { margin_ *= 1.5; }

 private:
  void exchange(int to, int from, std::span<const double> outgoing, std::span<double> incoming);
  void place();
  void meet();
  void measure_clock();
  void measure_agreement();

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, ranks_on_node_ = 1, cpus_ = 1;
  bool common_start_ = false;
  double clock_cost_ = 0, start_skew_ = 0;
  int polls_before_yield_ = 1;
  SharedLines lines_;         ///< of more ranks than cores on one node: how many starts each has come to
  std::uint64_t starts_ = 0;  ///< the same on all ranks
  double margin_ = 0;         ///< seconds between a rank's proposal of a start and that start
  std::vector<double> incoming_;
};

}  // namespace tutti::bench
