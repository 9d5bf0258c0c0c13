/// Collectives on a block of each rank: leaders carry the blocks of their crews.
#include <algorithm>
#include <climits>
#include <cstring>

#include "core/borders.hpp"
#include "runtime/hierarchy/hierarchical_call.hpp"

namespace tutti::runtime {

/// Bytes of each rank's block, as far as they are known here: the root knows all, and so do the members of its node if
/// needed; members of another node know one another's.  Unknown sizes are 0.
const std::int64_t* HierarchicalCall::sizes_known_to(int knowing_node, const Layout& layout) {
  std::int64_t* const sizes = numbers(nodes_.ranks());
  const bool regular = sizes_ == shm::Sizes::equal;
  for (Rank rank = 0; rank < nodes_.ranks(); ++rank)
    sizes[rank] = regular || am_root() ? layout.size(regular ? rank_ : rank) : 0;
  if (regular) return sizes;
  sizes[rank_] = layout.size(rank_);
  if (node_ == knowing_node) {
    const auto bytes = static_cast<std::size_t>(nodes_.ranks()) * sizeof *sizes;
    if (!root_has_all()) group_.bcast(sizes, bytes, root_member_);
    return sizes;
  }
  std::int64_t* const here = numbers(nodes_.size(node_));
  here[me_] = sizes[rank_];
  group_.allgather({reinterpret_cast<std::byte*>(here), sizeof *here, nullptr, nullptr});
  for (int member = 0; member < nodes_.size(node_); ++member) sizes[nodes_.rank_of(node_, member)] = here[member];
  return sizes;
}

const std::int64_t* HierarchicalCall::sizes_known_to_all(const Layout& layout) {
  std::int64_t* const sizes = numbers(nodes_.ranks());
  for (Rank rank = 0; rank < nodes_.ranks(); ++rank) sizes[rank] = layout.size(rank) * frame_.unit;
  return sizes;
}

const std::int64_t* HierarchicalCall::offsets_of(const std::int64_t* sizes) {
  std::int64_t* const offsets = numbers(nodes_.ranks() + 1);
  offsets[0] = 0;
  for (int position = 0; position < nodes_.ranks(); ++position)
    offsets[position + 1] = offsets[position] + sizes[formation_.rank_at(position)];
  return offsets;
}

/// The call's memory has the blocks in the order of lanes, one after the other.
bool HierarchicalCall::lies_in_order(const Layout& layout, const std::int64_t* offsets) const {
  if (layout.is_regular()) return formation_.natural();
  const std::int64_t first = layout.offset(formation_.rank_at(0));
  for (int position = 0; position < nodes_.ranks(); ++position)
    if (offsets[position] != offsets[position + 1] &&
        (layout.offset(formation_.rank_at(position)) - first) * frame_.unit != offsets[position])
      return false;
  return true;
}

/// A row of all positions: the call's own memory where blocks lie in that order there, else memory for it.
HierarchicalCall::Row HierarchicalCall::row_in(const Layout& layout, std::byte* start, const std::int64_t* offsets) {
  if (lies_in_order(layout, offsets))
    return {at(start, layout.offset(formation_.rank_at(0)) * frame_.unit), offsets, false};
  return {memory(offsets[nodes_.ranks()]), offsets, true};
}

/// Each node's blocks lie one after the other.
bool HierarchicalCall::nodes_lie_together(const Layout& layout) const {
  for (int node = 0; node < nodes_.count(); ++node) {
    const auto members = nodes_.members(node);
    for (std::size_t i = 1; i < members.size(); ++i)
      if (layout.offset(members[i]) != layout.offset(members[i - 1]) + layout.size(members[i - 1])) return false;
  }
  return true;
}

/// The node engine has a call for each node's blocks, which several leaders bring: then long ones need no other order
/// than they have in the call's memory.  All ranks say the same: of blocks of any size they know how long these are,
/// but not where others have them.
bool HierarchicalCall::goes_by_nodes(const Layout& layout, const std::int64_t* offsets) const {
  if (senders_ == 1 || offsets[nodes_.ranks()] < borders::by_nodes_from * nodes_.count()) return false;
  return !layout.is_regular() || (!formation_.natural() && nodes_lie_together(layout));
}

/// A row of all positions for such calls; places beyond int are none for the MPI library.
HierarchicalCall::Row HierarchicalCall::row_by_nodes(const Layout& layout, std::byte* start,
                                                     const std::int64_t* offsets) {
  if (lies_in_order(layout, offsets) || !nodes_lie_together(layout)) return row_in(layout, start, offsets);
  std::int64_t* const places = numbers(nodes_.ranks());
  std::int64_t least = INT64_MAX, most = 0;
  for (int position = 0; position < nodes_.ranks(); ++position) {
    places[position] = layout.offset(formation_.rank_at(position)) * frame_.unit;
    least = std::min(least, places[position]),
    most = std::max(most, places[position] + layout.size(formation_.rank_at(position)));
  }
  if (!layout.is_regular() && most - least > INT_MAX) return row_in(layout, start, offsets);
  return {start, offsets, false, places};
}

/// Memory for positions [from, to).
HierarchicalCall::Row HierarchicalCall::row_of(const std::int64_t* offsets, int from, int to) {
  return {at(memory(offsets[to] - offsets[from]), -offsets[from]), offsets, true};
}

/// Calls copy(in the row, in the call's memory, bytes) for every rank that has a block.
template <class Copy>
void HierarchicalCall::each_block(const Row& row, const Layout& layout, std::byte* start, Copy&& copy) const {
  for (int position = 0; position < nodes_.ranks(); ++position) {
    const auto bytes = static_cast<std::size_t>(row.bytes(position, position + 1));
    if (bytes > 0) copy(row.at(position), at(start, layout.offset(formation_.rank_at(position)) * frame_.unit), bytes);
  }
}

namespace {

void into_row(std::byte* row, const std::byte* user, std::size_t bytes) { std::memcpy(row, user, bytes); }
void out_of_row(const std::byte* row, std::byte* user, std::size_t bytes) { std::memcpy(user, row, bytes); }

}  // namespace

void HierarchicalCall::stage(const Row& row, const Layout& layout, std::byte* start) const {
  each_block(row, layout, start, into_row);
}

/// My lane's part of the rows: what its crew on each node has is one block.
Frame HierarchicalCall::lane_frame(const Row& in, const Row& out) {
  const auto layout = [&](const Row& row) {
    const int begin = formation_.begin(crew_);
    if (sizes_ == shm::Sizes::equal && nodes_.equal() && !row.places)
      return Layout::regular(nodes_.count(), row.bytes(begin, formation_.begin(crew_, 1)) / frame_.unit);
    std::int64_t* const sizes = numbers(2 * nodes_.count());
    std::int64_t* const offsets = sizes + nodes_.count();
    for (int node = 0; node < nodes_.count(); ++node) {
      const int first = formation_.begin(crew_, node), crew = formation_.crew_size(node, crew_);
      sizes[node] = row.bytes(first, first + crew) / frame_.unit;
      offsets[node] = (row.place(first) - row.place(begin)) / frame_.unit;
    }
    return Layout::irregular(nodes_.count(), CountView::wide(sizes), CountView::wide(offsets), 1);
  };
  return {{layout(in), layout(out)}, in.at(formation_.begin(crew_)), out.at(formation_.begin(crew_)), frame_.unit};
}

void HierarchicalCall::gather() {
  const Layout& layout = am_root() ? frame_.layouts.output : frame_.layouts.input;
  std::byte* const own = at(am_root() ? frame_.output : frame_.input, layout.offset(rank_));
  const std::int64_t* const offsets = offsets_of(sizes_known_to(root_node_, layout));
  Row row{nullptr, offsets, false};
  if (am_root())
    row = row_in(layout, frame_.output, offsets);
  else if (me_ == leader_)
    row = row_of(offsets, formation_.begin(crew_), formation_.begin(crew_ + 1));
  collect(row, own);
  if (me_ == leader_) between_.run(call_.collective, lane_frame(row, row), root_node_, nullptr);
  if (!at_root_node()) return;
  to_root(row);
  if (am_root() && row.staged) each_block(row, layout, frame_.output, out_of_row);
}

void HierarchicalCall::scatter() {
  const Layout& layout = am_root() ? frame_.layouts.input : frame_.layouts.output;
  const std::int64_t* const offsets = offsets_of(sizes_known_to(root_node_, layout));
  Row row{nullptr, offsets, false};
  if (am_root()) {
    row = row_in(layout, frame_.input, offsets);
    if (row.staged) each_block(row, layout, frame_.input, into_row);
  } else if (me_ == leader_) {
    row = row_of(offsets, formation_.begin(crew_), formation_.begin(crew_ + 1));
  }
  if (at_root_node()) from_root(row);
  if (me_ == leader_) between_.run(call_.collective, lane_frame(row, row), root_node_, nullptr);
  // The root has its own block already: its received copy is discarded.
  const std::int64_t bytes = row.bytes(my_position(), my_position() + 1);
  std::byte* const own = !am_root()       ? at(frame_.output, layout.offset(rank_))
                         : me_ == leader_ ? row.at(my_position())
                                          : memory(bytes);
  distribute(row, own);
}

void HierarchicalCall::allgather() {
  const Layout& layout = frame_.layouts.output;
  const std::int64_t* const offsets = offsets_of(sizes_known_to_all(layout));
  const bool by_nodes = goes_by_nodes(layout, offsets);
  const Row row = by_nodes ? row_by_nodes(layout, frame_.output, offsets) : row_in(layout, frame_.output, offsets);
  collect(row, at(frame_.output, layout.offset(rank_)));
  if (me_ == leader_) between_.run(call_.collective, lane_frame(row, row), 0, nullptr);
  if (senders_ == 1) {
    group_.bcast(row.start, static_cast<std::size_t>(row.bytes(0, nodes_.ranks())), leader_);
  } else if (by_nodes) {
    Table blocks = no_blocks(row.start);
    for (int node = 0; node < nodes_.count(); ++node) set_blocks_of_node(blocks, row, node), group_.allgather(blocks);
  } else {
    group_.allgather(blocks_of_leaders(row));
  }
  if (row.staged) each_block(row, layout, frame_.output, out_of_row);
}

}  // namespace tutti::runtime
