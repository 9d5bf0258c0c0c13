#pragma once
/// How far apart ranks come after perfectly balanced work, inside nodes and between them.  After the micro-benchmark of
/// Parsons, "Accelerating MPI collective communications through hierarchical algorithms with flexible inter-node
/// communication and imbalance awareness", Purdue University, 2015.
#include <span>
#include <string>
#include <vector>

#include "bench/statistics.hpp"

namespace tutti::bench {

/// Of one repetition, in the unit of the arrivals.
struct Spread {
  double all = 0;      ///< the last rank after the first
  double inside = 0;   ///< in the node where that is most, its last rank after its first
  double between = 0;  ///< the node whose first rank comes last, after the node whose first rank comes first
};

/// `leaders`: of each rank the least rank of its node.  A rank that is late in a node of several does not move its
/// node's first arrival, so that a delay inside a node and one between nodes are told apart.
Spread spread_of(std::span<const double> arrivals, std::span<const int> leaders);

/// A balanced program's repetitions; seconds.
struct Imbalance {
  int ranks = 1, nodes = 1;
  double work = 0;  ///< of each repetition, as asked for
  std::vector<Spread> spreads;
  std::vector<std::vector<double>> after_first;  ///< of each rank, in each repetition
};

/// What TUTTI_BENCH_DELAY makes of a rank: seconds by which it comes later.  It holds RANK:SECONDS, and more of them
/// after commas.  Throws std::invalid_argument, on every rank, where it cannot be read.
double delay_of(int rank);

}  // namespace tutti::bench
