#pragma once
/// Lower bounds for every algorithm, to compare with the counter's results (analysis/count.hpp).
#include "analysis/count.hpp"

namespace tutti {

/// The least `rounds`, `moved` and `reduced` of any schedule for the problem, in elements, where a rank sends and
/// receives over `ports` ports at a time.  Three bounds, each by itself; no algorithm need meet all.  `messages` is 0.
///
/// - rounds: what is known spreads to at most (ports + 1) times as many ranks in a round, so q = lg p to the base
///   ports + 1.  It holds for exscan too: t messages bring the last rank 1 + 2 + 4 … contributions, and it needs p - 1.
///   In alltoallv and alltoallw a rank knows its own counts alone, so that every message goes straight: one for each
///   partner.
/// - moved: what the busiest rank must receive or send, over its ports.  An allreduce sends every part of the vector
///   twice: T = 2 (p-1)/p m (Patarasuk & Yuan 2009).
/// - reduced: p - 1 combinations an element, spread over all ranks.  (An exscan makes p - 2.)
Cost lower_bound(const Problem& problem, int ports = 1);

}  // namespace tutti
