#include "algorithms/phases/trees.hpp"

namespace tutti {

TreePlace absolute(const Context& context, TreePlace place) {
  if (place.parent >= 0) place.parent = context.absolute(place.parent);
  for (Rank& child : place.children) child = context.absolute(child);
  return place;
}

Schedule bcast_down(TreePlace place, int segments) {
  for (int i = 0; i < segments; ++i) {
    const Blocks segment = part(output(0), i, segments);
    if (place.parent >= 0) co_yield receive(place.parent, segment);
    for (const Rank child : place.children) {
      co_yield send(child, segment);
      co_yield round_mark();
    }
    if (place.children.empty()) co_yield round_mark();
  }
}

Schedule scatter_down(KnomialTree tree, Rank v, std::function<BlockList(int, int)> where) {
  const TreePlace place = tree.place(v);
  if (place.parent >= 0) co_yield receive(place.parent, where(v, tree.subtree(v)));
  for (const Rank child : place.children) {
    co_yield send(child, where(child, tree.subtree(child)));
    co_yield round_mark();
  }
  if (place.children.empty()) co_yield round_mark();
}

}  // namespace tutti
