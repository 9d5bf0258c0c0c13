/// Half of the vector goes down each of two trees at once, in n segments in all: every rank receives in every step and
/// sends in every step, T = (2 lg p + n)(alpha + m/n beta) at most, so that for long vectors each byte passes a rank
/// once.  Least at n = sqrt(2 lg p m beta / alpha).  Sanders, Speck & Träff 2009.
#include "patterns/two_tree.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/bcast/bcast.hpp"

namespace tutti {
namespace {

/// An edge of this rank's, and when it begins to work.
struct Duty {
  TwoTree::Edge edge;
  Rank peer;
  bool sends;
  int start;
};

std::vector<Duty> duties(int size, Rank v) {
  const TwoTree trees{size};
  const TwoTreeTimes times(trees);
  std::vector<Duty> all;
  for (int tree : {0, 1}) {
    const TwoTree::Edge above{tree, v};
    if (above) all.push_back({above, trees.parent(above), false, times.start(above)});
    for (const TwoTree::Edge& edge : trees.below(tree, v))
      if (edge) all.push_back({edge, edge.to, true, times.start(edge)});
  }
  return all;
}

}  // namespace

Schedule bcast_two_tree(Context context) {
  const int each = (context.parameter(0, 8) + 1) / 2;  // segments down each tree
  const std::vector<Duty> all = duties(context.size, context.relative(context.me));
  int end = 0;
  for (const Duty& duty : all) end = std::max(end, duty.start + 2 * each);
  for (int step = 0; step < end; ++step) {
    for (const Duty& duty : all) {
      const int since = step - duty.start;
      if (since < 0 || since % 2 != 0 || since / 2 >= each) continue;
      const Blocks segment = part(output(0), duty.edge.tree * each + since / 2, 2 * each);
      const Rank peer = context.absolute(duty.peer);
      co_yield duty.sends ? send(peer, segment) : receive(peer, segment);
    }
    co_yield round_mark();
  }
}

}  // namespace tutti
