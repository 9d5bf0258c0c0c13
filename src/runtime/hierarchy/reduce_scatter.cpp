/// Reduce_scatter: the node's members combine what they have for a lane at its leader, the lane's leaders do the same
/// among the nodes, and each hands its crew their blocks.
///
/// Long rows pass in pieces, a part of one block a crew: while one is under way between nodes, the next is in the node.
#include <algorithm>
#include <cstring>

#include "core/borders.hpp"
#include "runtime/hierarchy/hierarchical_call.hpp"

namespace tutti::runtime {

class HierarchicalCall::Scattering {
 public:
  Scattering(HierarchicalCall& phases, const Layout& layout)
      : p_(phases),
        layout_(layout),
        nodes_(phases.nodes_),
        formation_(phases.formation_),
        unit_(phases.frame_.unit),
        leads_(phases.me_ == phases.leader_),
        offsets_(phases.offsets_of(phases.sizes_known_to_all(layout))),
        first_(formation_.begin(phases.crew_, phases.node_)),
        end_(first_ + formation_.crew_size(phases.node_, phases.crew_)) {}

  void run() {
    if (leads_) result_ = p_.row_of(offsets_, first_, end_);
    if (offsets_[nodes_.ranks()] > p_.overlap_)
      in_pieces();
    else
      at_once();
    p_.distribute(result_, at(p_.frame_.output, layout_.offset(p_.rank_) * unit_));
  }

 private:
  void at_once();
  void in_pieces();
  void pass(int member, std::int64_t first, std::int64_t most);
  void combine(int node, int member, std::int64_t first, std::int64_t most);
  Layout layout_of_piece(const std::int64_t* places) const;

  /// Elements of a position's block.
  std::int64_t block(int position) const { return (offsets_[position + 1] - offsets_[position]) / unit_; }

  HierarchicalCall& p_;
  const Layout& layout_;  ///< of a contribution
  const Nodes& nodes_;
  const Formation& formation_;
  const std::int64_t unit_;
  const bool leads_;
  const std::int64_t* const offsets_;
  const int first_, end_;  ///< positions of my crew
  Row result_{nullptr, offsets_, true};

  // Of a piece, in elements: for each member here, and at a leader for each node.
  std::int64_t *counts_ = nullptr, *places_ = nullptr, *sizes_ = nullptr, *begins_ = nullptr, *nowhere_ = nullptr;
  std::byte* combined_ = nullptr;
};

void HierarchicalCall::Scattering::at_once() {
  const Row in = p_.row_in(layout_, p_.frame_.input, offsets_);
  if (in.staged) p_.stage(in, layout_, p_.frame_.input);
  const Table lanes = p_.blocks_of_leaders(in);
  std::int64_t* const counts = p_.numbers(nodes_.size(p_.node_));
  for (int member = 0; member < nodes_.size(p_.node_); ++member) counts[member] = lanes.sizes[member] / unit_;
  std::byte* const combined = p_.memory(lanes.sizes[p_.me_]);
  const auto total = static_cast<std::size_t>(in.bytes(0, nodes_.ranks()) / unit_);
  if (p_.senders_ == 1)
    p_.group_.reduce(in.start, leads_ ? combined : nullptr, total, p_.op(), p_.leader_);
  else
    p_.group_.reduce_scatter(in.start, combined, {0, counts, nullptr}, p_.op());
  if (!leads_) return;
  const Row lane{at(combined, -offsets_[formation_.begin(p_.crew_)]), offsets_, true};
  std::memcpy(result_.at(first_), lane.at(first_), static_cast<std::size_t>(result_.bytes(first_, end_)));
  p_.between_.run(p_.call_.collective, p_.lane_frame(lane, result_), 0, p_.combiner_);
}

void HierarchicalCall::Scattering::in_pieces() {
  const std::int64_t most =
      std::max<std::int64_t>(1, std::max(borders::reduce_scatter_piece, p_.overlap_ / nodes_.ranks()) / unit_);
  const int here = nodes_.size(p_.node_), count = nodes_.count();
  counts_ = p_.numbers(here), places_ = p_.numbers(here);
  sizes_ = p_.numbers(count), begins_ = p_.numbers(count), nowhere_ = p_.numbers(count);
  std::fill_n(nowhere_, count, 0);
  combined_ = leads_ ? p_.memory(count * most * unit_) : nullptr;
  int largest = 0;
  for (int node = 0; node < count; ++node)
    for (int crew = 0; crew < p_.senders_; ++crew) largest = std::max(largest, formation_.crew_size(node, crew));
  std::int64_t longest = 0;
  for (int position = 0; position < nodes_.ranks(); ++position) longest = std::max(longest, block(position));
  for (int member = 0; member < largest; ++member)
    for (std::int64_t first = 0; first < longest; first += most) pass(member, first, most);
}

/// Up to `most` elements, from `first` on, of the block of each crew's member of that number.
void HierarchicalCall::Scattering::pass(int member, std::int64_t first, std::int64_t most) {
  std::int64_t total = 0;
  for (int node = 0; node < nodes_.count(); ++node) {
    begins_[node] = total;
    combine(node, member, first, most);
    total += sizes_[node] = counts_[p_.me_];
  }
  if (!leads_) return;
  const Layout in = layout_of_piece(begins_), out = layout_of_piece(nowhere_);
  const std::int64_t mine = sizes_[p_.node_];
  std::byte* const place = mine > 0 ? at(result_.at(first_ + member), first * unit_) : result_.start;
  if (mine > 0) std::memcpy(place, at(combined_, begins_[p_.node_] * unit_), static_cast<std::size_t>(mine * unit_));
  const Frame frame{{in, out}, combined_, at(place, -out.offset(p_.node_) * unit_), unit_};
  p_.between_.run(p_.call_.collective, frame, 0, p_.combiner_);
}

/// What the members here have for that node; each leader's part comes after what it has for the nodes before.
void HierarchicalCall::Scattering::combine(int node, int member, std::int64_t first, std::int64_t most) {
  std::fill_n(counts_, nodes_.size(p_.node_), 0);
  std::fill_n(places_, nodes_.size(p_.node_), 0);
  for (int crew = 0; crew < p_.senders_; ++crew) {
    if (member >= formation_.crew_size(node, crew)) continue;
    const int position = formation_.begin(crew, node) + member, leader = p_.between_.leader(p_.node_, crew);
    counts_[leader] = std::clamp<std::int64_t>(block(position) - first, 0, most);
    places_[leader] = layout_.offset(formation_.rank_at(position)) + first;
  }
  p_.group_.reduce_scatter(p_.frame_.input, at(combined_, begins_[node] * unit_), {0, counts_, places_}, p_.op());
}

/// Equal parts as algorithms for equal blocks want them.
Layout HierarchicalCall::Scattering::layout_of_piece(const std::int64_t* places) const {
  const int count = nodes_.count();
  if (std::all_of(sizes_, sizes_ + count, [&](std::int64_t size) { return size == sizes_[0]; }))
    return Layout::regular(count, sizes_[0]);
  return Layout::irregular(count, CountView::wide(sizes_), CountView::wide(places), 1);
}

void HierarchicalCall::reduce_scatter() { Scattering(*this, frame_.layouts.input).run(); }

}  // namespace tutti::runtime
