#pragma once
/// Whether groups pay, and how many there are then: what a spec means that does not say.
#include <cstdint>

#include "algorithms/catalogue.hpp"

namespace tutti {

/// What sqrt(p) groups save, counted from the schedules of 16 ranks in 4 groups beside the outer algorithm on all 16
/// (a group each).  In X segments, `rounds - rounds_a_segment (X - 1)` rounds are saved, and `moved_whole / X + moved`
/// vectors more are moved.
struct Gain {
  double rounds = 0, rounds_a_segment = 0;
  double moved_whole = 0, moved = 0;
};

/// For a composition in groups.
Gain gain_of(const Algorithm& composition);

/// The size of a call, and of the machine's latency: bytes that move while a message of none is under way.
struct GroupedCall {
  int ranks = 1;
  std::int64_t bytes = 0;  ///< moved by a rank that gets all; none where the size is not known
  std::int64_t segments = 1;
  std::int64_t latency = 0;  ///< alpha / beta
};

/// The root of the number of ranks, where alpha times the rounds saved is more than beta times the bytes added; else a
/// group for each rank, which leaves the outer algorithm alone.  Both differences grow with p as in Hasanov et al.,
/// (sqrt(p) - 1)^2 and its p-th part; so this is their condition 14, alpha/beta > 2 m / p, for scatter_ring_allgather,
/// always true for a flat tree or chain (equation 10), true for few segments in a pipeline (11), never for a binomial
/// tree.
int best_groups(const Gain& gain, const GroupedCall& call);

}  // namespace tutti
