#pragma once
/// Moving data down trees.  Backwards (combinators/reverse.hpp) the same schedules gather and reduce.
#include <functional>

#include "core/schedule.hpp"
#include "patterns/k_nomial.hpp"
#include "patterns/tree.hpp"

namespace tutti {

/// A place given relative to the root, in ranks.
TreePlace absolute(const Context& context, TreePlace place);

/// The vector in `segments`: each is passed on to all children, in their order, as soon as it is there.
Schedule bcast_down(TreePlace place, int segments = 1);

/// Every child gets the blocks of its whole subtree, which `where(first, count)` finds on this rank.
Schedule scatter_down(KnomialTree tree, Rank v, std::function<BlockList(int, int)> where);

}  // namespace tutti
