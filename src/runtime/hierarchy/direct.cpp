/// All to all of long blocks: each goes directly from rank to rank, node by node.
///
/// Nothing is collected or sorted, so that no block is copied; the price is a message for each pair of ranks.  In
/// distance d all ranks of a node send to the node d ahead, and receive from the node d behind.  A node begins with a
/// distance when all its ranks have received everything of the one before (of an earlier call, at first), and the node
/// ahead has sent a message that it has, too.  So each node receives from one node at a time, and a network switch
/// never buffers more for a node than its link takes.  That is the pairwise exchange (Thakur & Gropp 2002, 4.5) with
/// nodes for ranks.
#include <span>

#include "core/borders.hpp"
#include "core/schedule.hpp"
#include "patterns/ring.hpp"
#include "runtime/hierarchy/hierarchical_call.hpp"
#include "runtime/wire/run_schedule.hpp"

namespace tutti::runtime {
namespace {

/// The leader tells the node behind that it may send, and waits until the node ahead says so.
Schedule open(Rank behind, Rank ahead) {
  co_yield send(behind, token(0));
  co_yield receive(ahead, token(1));
}

/// In turn i member m sends to member m + i, modulo the size of the largest node, if the other node has that member.
/// Both sides of a message have it in the same turn, so that turns can end one after the other.
Schedule exchange(std::span<const Rank> to, std::span<const Rank> from, int member, int largest) {
  const Ring ring{largest};
  for (int turn = 0; turn < largest; ++turn) {
    const auto target = static_cast<std::size_t>(ring.ahead(member, turn));
    const auto source = static_cast<std::size_t>(ring.behind(member, turn));
    if (target < to.size()) co_yield send(to[target], input(to[target]));
    if (source < from.size()) co_yield receive(from[source], output(from[source]));
    if ((turn + 1) % borders::straight_messages == 0) co_yield fence();
  }
}

}  // namespace

/// Whether blocks are long enough to go directly.  If sizes are not known to all, nobody knows the longest, so the
/// option alone decides.
bool HierarchicalCall::goes_directly() const {
  return irregular(call_.collective) || frame_.layouts.input.size(0) >= direct_;
}

void HierarchicalCall::alltoall_directly() {
  exchange_in_node();
  const Ring ring{nodes_.count()};
  const int largest = nodes_.largest();
  for (int distance = 1; distance < nodes_.count(); ++distance) {
    const auto ahead = nodes_.members(ring.ahead(node_, distance));
    const auto behind = nodes_.members(ring.behind(node_, distance));
    group_.barrier();
    if (me_ == 0) between_.run_among_ranks(frame_, open(behind[0], ahead[0]));
    group_.barrier();
    between_.run_among_ranks(frame_, exchange(ahead, behind, me_, largest));
  }
}

}  // namespace tutti::runtime
