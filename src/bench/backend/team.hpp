#pragma once
/// The ranks of a measurement, and their communication outside the timed part: by point-to-point messages of their own,
/// never by a collective that may be under test.
#include <mpi.h>

#include <functional>
#include <span>
#include <vector>

namespace tutti::bench {

/// Seconds of CLOCK_MONOTONIC, which all processes of a node share.
double now();

class Team {
 public:
  /// Collective over `measured`, whose collectives are those under test; it has to outlive the team.  `mpi`: the
  /// library's handle.
  Team(MPI_Comm measured, void* mpi);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  MPI_Comm measured() const { return measured_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  int ranks_on_node() const { return ranks_on_node_; }
  bool one_node() const { return one_node_; }
  /// In the affinity masks of all ranks together.
  int cpus() const { return cpus_; }
  /// Whether some node has more ranks than that.
  bool oversubscribed() const { return oversubscribed_; }
  /// The least rank of the node that a rank is on; of a pretended one where TUTTI_PRETEND_NODES says so.
  int leader_of(int rank) const { return leaders_[static_cast<std::size_t>(rank)]; }

  /// The same of the machine as it is.
  int host_of(int rank) const { return hosts_[static_cast<std::size_t>(rank)]; }

  void send(int to, std::span<const double> values);
  void receive(int from, std::span<double> values);
  /// Element-wise maximum over the ranks; all of them get it, bit-identical, so that what they decide from it is one
  /// decision.  Dissemination: ceil(log2 p) rounds for any p (a maximum may count a rank twice).  It ends on no rank
  /// before it has begun on all.
  void maximum(std::span<double> values);
  /// Element-wise sum over the ranks, on rank 0 alone: up a binomial tree.
  void sum_at_root(std::span<double> values);
  /// Every rank's values, one row a rank, on all ranks.
  std::vector<double> table(std::span<const double> mine);
  /// The same on rank 0 alone, with 0 for the others' rows elsewhere.
  std::vector<double> table_at_root(std::span<const double> mine);
  /// Rank 0 and its partner work; the others sleep meanwhile, and take no CPU and no memory bandwidth from them.
  void while_others_sleep(const std::function<void()>& work, int partner = 0);
  /// The MPI library's own.
  void barrier() { barrier_(comm_); }
  /// Makes MPI progress: another rank's call may need it to end.
  void progress();

 private:
  void exchange(int to, int from, std::span<const double> outgoing, std::span<double> incoming);
  void complete(std::span<MPI_Request> requests) const;
  void place();
  void find_leaders(int host);

  MPI_Comm measured_, comm_ = MPI_COMM_NULL;
  decltype(&::PMPI_Barrier) barrier_;  ///< looked up: a preloaded library may serve the name
  int rank_ = 0, size_ = 1, ranks_on_node_ = 1, cpus_ = 1;
  bool one_node_ = true, oversubscribed_ = false;
  std::vector<int> leaders_, hosts_;
  int polls_before_yield_ = 1;
  std::vector<double> incoming_;
};

}  // namespace tutti::bench
