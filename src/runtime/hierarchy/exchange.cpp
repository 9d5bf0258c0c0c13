/// All to all: the data of a node's ranks for another node travels as one message a lane, N^2 messages instead of p^2.
///
/// Members pass their data for other nodes to the leader of their crew, which sorts it by node; it sorts received data
/// by member.  Blocks between members of one node never leave it.
#include <cstring>

#include "runtime/hierarchy/hierarchical_call.hpp"

namespace tutti::runtime {

class HierarchicalCall::Exchange {
 public:
  explicit Exchange(HierarchicalCall& phases)
      : p_(phases),
        nodes_(phases.nodes_),
        formation_(phases.formation_),
        here_(phases.node_),
        size_(nodes_.size(here_)) {}

  void run() {
    p_.exchange_in_node();
    learn_sizes();
    std::byte* const rows = collect();
    if (p_.me_ == p_.leader_) {
      const Crossing out = sorted_by_node(rows), in = expected();
      p_.between_.run(p_.call_.collective, {{out.layout, in.layout}, out.start, in.start, 1}, 0, nullptr);
      hand_out(sorted_by_member(in));
    } else {
      hand_out(nullptr);
    }
  }

 private:
  /// What crosses to or from each node, node by node.
  struct Crossing {
    std::byte* start;
    Layout layout;
    const std::int64_t* offsets;
  };

  /// Bytes from a member to a rank, and to a member from a rank.
  std::int64_t sent(int member, Rank to) const { return table_ ? table_[2 * member * ranks() + to] : block_; }
  std::int64_t received(int member, Rank from) const {
    return table_ ? table_[(2 * member + 1) * ranks() + from] : block_;
  }
  int ranks() const { return nodes_.ranks(); }

  template <class Visit>
  void each_other_node(Visit&& visit) const {
    for (int node = 0; node < nodes_.count(); ++node)
      if (node != here_) visit(node);
  }
  /// The ranks of a lane's crews on other nodes.
  template <class Visit>
  void each_source(int crew, Visit&& visit) const {
    each_other_node([&](int node) {
      for (int i = formation_.first_member(node, crew); i < formation_.first_member(node, crew + 1); ++i)
        visit(nodes_.rank_of(node, i));
    });
  }
  std::int64_t sent_to_node(int member, int node) const {
    std::int64_t sum = 0;
    for (const Rank rank : nodes_.members(node)) sum += sent(member, rank);
    return sum;
  }
  std::int64_t sent_to_others(int member) const {
    std::int64_t sum = 0;
    each_other_node([&](int node) { sum += sent_to_node(member, node); });
    return sum;
  }
  std::int64_t received_from_lane(int member, int crew) const {
    std::int64_t sum = 0;
    each_source(crew, [&](Rank from) { sum += received(member, from); });
    return sum;
  }

  void learn_sizes();
  std::byte* collect();
  Crossing sorted_by_node(const std::byte* rows);
  Crossing expected();
  std::byte* sorted_by_member(const Crossing& came);
  void hand_out(std::byte* sorted);
  template <class Bytes>
  Crossing crossing(Bytes&& bytes_of_node);

  HierarchicalCall& p_;
  const Nodes& nodes_;
  const Formation& formation_;
  const int here_, size_;
  std::int64_t block_ = 0;
  const std::int64_t* table_ = nullptr;  ///< of each member: what it sends to each rank, what it gets from each
};

void HierarchicalCall::Exchange::learn_sizes() {
  const Layouts& layouts = p_.frame_.layouts;
  block_ = layouts.input.size(p_.rank_);
  if (p_.sizes_ == shm::Sizes::equal) return;
  std::int64_t* const table = p_.numbers(2 * size_ * ranks());
  for (Rank rank = 0; rank < ranks(); ++rank) {
    table[2 * p_.me_ * ranks() + rank] = layouts.input.size(rank);
    table[(2 * p_.me_ + 1) * ranks() + rank] = layouts.output.size(rank);
  }
  const std::size_t row = 2 * static_cast<std::size_t>(ranks()) * sizeof *table;
  p_.group_.allgather({reinterpret_cast<std::byte*>(table), row, nullptr, nullptr});
  table_ = table;
}

/// My blocks for other nodes, node by node, come to my leader, which has its members' rows one after the other.
std::byte* HierarchicalCall::Exchange::collect() {
  const bool leads = p_.me_ == p_.leader_;
  const int first = formation_.first_member(here_, p_.crew_), crew = formation_.crew_size(here_, p_.crew_);
  Table rows = p_.no_blocks();
  std::int64_t total = 0;
  for (int member = first; member < first + crew; ++member) {
    if (!leads && member != p_.me_) continue;
    rows.set(member, total, sent_to_others(member));
    total += rows.sizes[member];
  }
  rows.start = p_.memory(total);
  std::byte* const own = rows.at(p_.me_);
  std::byte* next = own;
  each_other_node([&](int node) {
    for (const Rank rank : nodes_.members(node)) {
      const auto bytes = static_cast<std::size_t>(sent(p_.me_, rank));
      if (bytes > 0) std::memcpy(next, at(p_.frame_.input, p_.frame_.layouts.input.offset(rank)), bytes);
      next += bytes;
    }
  });
  if (p_.senders_ == 1) {
    p_.check(p_.group_.gather(rows, p_.leader_, p_.sizes_));
  } else {
    const Table out = leads ? p_.no_blocks() : p_.one_block(p_.leader_, own, rows.sizes[p_.me_]);
    p_.check(p_.group_.alltoall(out, leads ? rows : p_.no_blocks(), shm::Sizes::own));
  }
  return rows.start;
}

/// Memory for the data between nodes.  With equal blocks the own node has an unused place as well, because algorithms
/// for equal blocks expect it.
template <class Bytes>
HierarchicalCall::Exchange::Crossing HierarchicalCall::Exchange::crossing(Bytes&& bytes_of_node) {
  const bool regular = !table_ && nodes_.equal();
  std::int64_t* const sizes = p_.numbers(2 * nodes_.count());
  std::int64_t* const offsets = sizes + nodes_.count();
  std::int64_t total = 0;
  for (int node = 0; node < nodes_.count(); ++node) {
    offsets[node] = total;
    total += sizes[node] = node == here_ && !regular ? 0 : bytes_of_node(node);
  }
  const Layout layout = regular
                            ? Layout::regular(nodes_.count(), sizes[here_])
                            : Layout::irregular(nodes_.count(), CountView::wide(sizes), CountView::wide(offsets), 1);
  return {p_.memory(total), layout, offsets};
}

HierarchicalCall::Exchange::Crossing HierarchicalCall::Exchange::sorted_by_node(const std::byte* rows) {
  const int first = formation_.first_member(here_, p_.crew_), end = formation_.first_member(here_, p_.crew_ + 1);
  const Crossing out = crossing([&](int node) {
    std::int64_t sum = 0;
    for (int member = first; member < end; ++member) sum += sent_to_node(member, node);
    return sum;
  });
  std::int64_t* const filled = p_.numbers(nodes_.count());
  std::memcpy(filled, out.offsets, static_cast<std::size_t>(nodes_.count()) * sizeof *filled);
  for (int member = first; member < end; ++member)
    each_other_node([&](int node) {
      const std::int64_t bytes = sent_to_node(member, node);
      if (bytes > 0) std::memcpy(at(out.start, filled[node]), rows, static_cast<std::size_t>(bytes));
      filled[node] += bytes, rows += bytes;
    });
  return out;
}

/// What comes from a node: its crew's ranks one after the other, each with a block for every member here.
HierarchicalCall::Exchange::Crossing HierarchicalCall::Exchange::expected() {
  return crossing([&](int node) {
    std::int64_t sum = 0;
    for (int i = formation_.first_member(node, p_.crew_); i < formation_.first_member(node, p_.crew_ + 1); ++i)
      for (int member = 0; member < size_; ++member) sum += received(member, nodes_.rank_of(node, i));
    return sum;
  });
}

std::byte* HierarchicalCall::Exchange::sorted_by_member(const Crossing& came) {
  std::int64_t* const filled = p_.numbers(size_);
  std::int64_t total = 0;
  for (int member = 0; member < size_; ++member) {
    filled[member] = total;
    total += received_from_lane(member, p_.crew_);
  }
  std::byte* const sorted = p_.memory(total);
  each_other_node([&](int node) {
    const std::byte* next = at(came.start, came.offsets[node]);
    for (int i = formation_.first_member(node, p_.crew_); i < formation_.first_member(node, p_.crew_ + 1); ++i)
      for (int member = 0; member < size_; ++member) {
        const std::int64_t bytes = received(member, nodes_.rank_of(node, i));
        if (bytes > 0) std::memcpy(at(sorted, filled[member]), next, static_cast<std::size_t>(bytes));
        filled[member] += bytes, next += bytes;
      }
  });
  return sorted;
}

/// Each member gets from each leader what that lane brought for it, and puts it where it belongs.
void HierarchicalCall::Exchange::hand_out(std::byte* sorted) {
  Table in = p_.no_blocks(sorted), out = p_.no_blocks();
  std::int64_t total = 0;
  for (int member = 0; member < size_ && sorted; ++member) {
    in.set(member, total, received_from_lane(member, p_.crew_));
    total += in.sizes[member];
  }
  total = 0;
  for (int crew = 0; crew < p_.senders_; ++crew) {
    const int leader = p_.between_.leader(here_, crew);
    out.set(leader, total, received_from_lane(p_.me_, crew));
    total += out.sizes[leader];
  }
  out.start = p_.memory(total);
  if (p_.senders_ > 1)
    p_.check(p_.group_.alltoall(in, out, shm::Sizes::own));
  else
    p_.check(p_.group_.scatter(sorted ? in : p_.one_block(p_.me_, out.start, total), p_.leader_, p_.sizes_));
  for (int crew = 0; crew < p_.senders_; ++crew) {
    const int leader = p_.between_.leader(here_, crew);
    const std::byte* next = leader == p_.me_ ? in.at(p_.me_) : out.at(leader);
    each_source(crew, [&](Rank from) {
      const auto bytes = static_cast<std::size_t>(received(p_.me_, from));
      if (bytes > 0) std::memcpy(at(p_.frame_.output, p_.frame_.layouts.output.offset(from)), next, bytes);
      next += bytes;
    });
  }
}

/// Straight from and into the call's memory.
void HierarchicalCall::exchange_in_node() {
  Table in = no_blocks(frame_.input), out = no_blocks(frame_.output);
  const Layouts& layouts = frame_.layouts;
  for (int member = 0; member < nodes_.size(node_); ++member) {
    const Rank rank = nodes_.rank_of(node_, member);
    in.set(member, layouts.input.offset(rank), layouts.input.size(rank));
    out.set(member, layouts.output.offset(rank), layouts.output.size(rank));
  }
  check(group_.alltoall(in, out, sizes_));
}

void HierarchicalCall::alltoall() {
  if (direct_ > 0 && goes_directly()) return alltoall_directly();
  Exchange(*this).run();
}

}  // namespace tutti::runtime
