/// Every block goes down the binomial tree of its owner's followers, far ranks first, while blocks are small in number;
/// `aggregation` (A, a power of two) blocks at most share a message, and what does not fit goes one message a tree
/// edge: T = (lg A + 2^q/A - 1) alpha + (p-1)/p m beta, for any p, with lg(2^q/A) A blocks in flight.  NCCL's PAT
/// ("parallel aggregated trees"), Jeaugey 2025.
///
/// Sparbit is PAT with everything aggregated: lg p alpha + (p-1)/p m beta; each block lands in its place, nothing is
/// rotated.  Loch & Koslovski 2021.
#include <algorithm>

#include "core/schedule.hpp"
#include "patterns/aggregated_trees.hpp"
#include "patterns/ring.hpp"

namespace tutti {
namespace {

Schedule down_the_trees(Context context, int aggregation) {
  const Ring ring{context.size};
  const AggregatedTrees trees{context.size, aggregation};
  for (AggregatedTrees::Hop hop = trees.begin(); !trees.ended(hop); hop = trees.next(hop)) {
    const auto arriving = [&](Rank at) {
      BlockList blocks;
      for (int offset = hop.first; offset < context.size; offset += hop.stride)
        blocks.add(output(ring.behind(at, offset)));
      return blocks;
    };
    const Rank to = ring.ahead(context.me, hop.distance);
    co_yield send(to, arriving(to));
    co_yield receive(ring.behind(context.me, hop.distance), arriving(context.me));
    co_yield round_mark();
  }
}

}  // namespace

Schedule allgather_pat(Context context) { return down_the_trees(context, context.parameter(0, 8)); }

Schedule allgather_sparbit(Context context) { return down_the_trees(context, context.size); }

}  // namespace tutti
