#include "algorithms/combinators/renamed.hpp"

namespace tutti {
namespace {

struct Rename {
  const Renaming& names;

  Rank peer(Rank rank) const { return names.peer ? names.peer(rank) : rank; }
  BlockList blocks(const BlockList& list) const {
    if (!names.blocks) return list;
    BlockList result;
    for (const Blocks& run : list)
      for (const Blocks& renamed : names.blocks(run)) result.add(renamed);
    return result;
  }
  Blocks block(const Blocks& run) const { return *blocks(BlockList(run)).begin(); }

  Step operator()(const Area& area) const { return names.area ? names.area(area) : area; }
  Step operator()(const Peers& step) const {
    Peers renamed{step.set, {}};
    for (Rank rank : step.ranks) renamed.ranks.push_back(peer(rank));
    return renamed;
  }
  Step operator()(const Send& step) const { return Send{peer(step.to), blocks(step.what), step.sized, step.set}; }
  Step operator()(const Receive& step) const { return Receive{peer(step.from), blocks(step.into), step.sized}; }
  Step operator()(const ReceiveAny& step) const { return ReceiveAny{step.set, blocks(step.into)}; }
  Step operator()(const Reduce& step) const { return Reduce{block(step.from), block(step.into), step.from_left}; }
  Step operator()(const Copy& step) const { return Copy{blocks(step.from), blocks(step.into)}; }
  Step operator()(const Round& step) const { return step; }
};

}  // namespace

Schedule renamed(Schedule inner, Renaming names) {
  while (const Step* step = inner.next()) co_yield std::visit(Rename{names}, *step);
}

}  // namespace tutti
