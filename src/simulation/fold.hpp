#pragma once
/// Folding: of ranks that do the same at the same time, one is simulated.
///
/// A symmetry maps ranks to ranks, nodes to nodes, and each rank's messages to those of the rank that it is mapped to.
/// On a machine that is the same everywhere all ranks of an orbit then have the same clock.  Two kinds are known: a
/// rotation by whole nodes (r + k c mod p, with c ranks a node) and a reflection (r xor k c, all powers of two).
#include <cstdint>
#include <functional>
#include <vector>

#include "core/schedule.hpp"
#include "simulation/machine.hpp"

namespace tutti::simulation {

struct Fold {
  enum class Kind : std::uint8_t { none, rotation, reflection } kind = Kind::none;
  int ranks = 1;
  int period = 1;  ///< ranks 0 to period - 1 are simulated

  static Fold nothing(int ranks) { return {Kind::none, ranks, ranks}; }
  Rank representative(Rank rank) const { return kind == Kind::none ? rank : rank % period; }
  /// `other`, as the representative of `rank` sees whom `rank` knows by that number.
  Rank seen(Rank rank, Rank other) const {
    if (kind == Kind::none) return other;
    return moved(other, rank - rank % period, -1);
  }
  /// Where the symmetry takes a rank: `by` is a multiple of the period.
  Rank moved(Rank rank, Rank by, int way = 1) const {
    if (kind == Kind::reflection) return rank ^ by;
    const Rank there = way > 0 ? rank + by - (rank + by >= ranks ? ranks : 0) : rank - by + (rank < by ? ranks : 0);
    return there;
  }
};

/// Who is folded: schedules by lanes, as in a Job.
struct Folding {
  int ranks = 1, lanes = 1;
  int period = 1;                    ///< ranks of a node
  std::vector<std::int64_t> blocks;  ///< by lane
  std::function<Schedule(Rank)> schedule;
};

/// A symmetry that the schedules have, as far as witnesses tell: the actions of ranks of several nodes are compared
/// with those of their representatives, one by one.  None where the machine is not the same for all.
Fold find_fold(const Machine& machine, const Folding& folding);

/// Whether the ranks that `by` takes the representatives to do the same: same actions, same bytes, peers moved alike.
bool holds(const Machine& machine, const Folding& folding, const Fold& fold, Rank by);

}  // namespace tutti::simulation
