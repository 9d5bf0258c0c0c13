#include "algorithms/combinators/renamed.hpp"

namespace tutti {
namespace {

struct Rename {
  const Renaming& names;

  Rank peer(Rank rank) const { return names.peer ? names.peer(rank) : rank; }
  Blocks blocks(const Blocks& run) const { return names.blocks ? names.blocks(run) : run; }
  BlockList blocks(const BlockList& list) const {
    BlockList result;
    for (const Blocks& run : list) result.add(blocks(run));
    return result;
  }

  Step operator()(const Area& area) const { return names.area ? names.area(area) : area; }
  Step operator()(const Send& step) const { return Send{peer(step.to), blocks(step.what), step.sized}; }
  Step operator()(const Receive& step) const { return Receive{peer(step.from), blocks(step.into), step.sized}; }
  Step operator()(const Reduce& step) const { return Reduce{blocks(step.from), blocks(step.into), step.from_left}; }
  Step operator()(const Copy& step) const { return Copy{blocks(step.from), blocks(step.into)}; }
  Step operator()(const Round& step) const { return step; }
};

}  // namespace

Schedule renamed(Schedule inner, Renaming names) {
  while (const Step* step = inner.next()) co_yield std::visit(Rename{names}, *step);
}

}  // namespace tutti
