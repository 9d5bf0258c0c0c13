#pragma once
/// The root of the combinators: a schedule whose names (peers, blocks, areas) are read in another sense.
#include <functional>

#include "core/schedule.hpp"

namespace tutti {

/// What each name becomes.  An empty function leaves it.  A run may become several, in that order, but where it is
/// reduced.
struct Renaming {
  std::function<Rank(Rank)> peer;
  std::function<BlockList(const Blocks&)> blocks;
  std::function<Area(Area)> area;
};

Schedule renamed(Schedule inner, Renaming names);

}  // namespace tutti
