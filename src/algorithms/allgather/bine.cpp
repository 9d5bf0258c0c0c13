/// Every block goes down a binomial tree whose edges swing left and right by growing distances (patterns/swing.hpp),
/// far ones first: T = lg p alpha + (p-1)/p m beta for even p, with less traffic over long links than the trees of a
/// hypercube.  De Sensi et al. 2025.  An odd rank too many hands its block to its neighbour (2 alpha + m beta more).
#include "algorithms/combinators/combinators.hpp"
#include "patterns/swing.hpp"

namespace tutti {
namespace {

Schedule down_the_trees(Context context) {
  const Rank me = context.me;
  const Swing swing{context.size};
  const SwingTree tree(swing);
  const auto arriving = [&](Rank at, int s) {
    BlockList blocks;
    for (Rank owner = 0; owner < context.size; ++owner)
      if (tree.reaches(owner, at, s)) blocks.add(output(owner));
    return blocks;
  };
  for (int s = swing.rounds() - 1; s >= 0; --s) {
    const Rank peer = swing.peer(me, s);
    if (BlockList leaving = arriving(peer, s); leaving.size() > 0) co_yield send(peer, std::move(leaving));
    if (BlockList blocks = arriving(me, s); blocks.size() > 0) co_yield receive(peer, std::move(blocks));
    co_yield round_mark();
  }
}

}  // namespace

Schedule allgather_bine(Context context) { return folded_blocks(context, Fold::to_even(context.size), down_the_trees); }

}  // namespace tutti
