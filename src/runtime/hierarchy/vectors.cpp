/// Collectives on one vector that all ranks have in common: each leader of a crew carries a slice of it.
///
/// Long vectors pass in pieces: while the kernel moves one between nodes, the next one is in the node.
#include <algorithm>
#include <cstring>

#include "runtime/hierarchy/hierarchical_call.hpp"

namespace tutti::runtime {

/// Calls work() with each piece of the vector in turn; once for a vector of nothing.
template <class Work>
void HierarchicalCall::each_piece(Work&& work) {
  const std::int64_t length = frame_.layouts.output.size(0), most = std::max<std::int64_t>(1, overlap_ / frame_.unit);
  for (std::int64_t first = 0; first == 0 || first < length; first += most) {
    piece_ = {first, std::min(most, length - first)};
    work();
  }
}

/// Of the piece, in elements of the vector.
Extent HierarchicalCall::slice(int crew) const {
  Extent part = balanced(piece_.length, crew, 1, senders_);
  part.offset += piece_.offset;
  return part;
}

/// Each leader's block is its slice of the vector.
HierarchicalCall::Table HierarchicalCall::slices(std::byte* vector) {
  Table blocks = no_blocks(vector);
  for (int crew = 0; crew < senders_; ++crew)
    blocks.set(between_.leader(node_, crew), slice(crew).offset * frame_.unit, slice(crew).length * frame_.unit);
  return blocks;
}

/// The frame of one slice.
Frame HierarchicalCall::slice_frame(std::byte* input, std::byte* output) const {
  const Layout vector = Layout::regular(1, slice(crew_).length);
  return {{vector, vector}, input, output, frame_.unit};
}

/// My slice of what the node's members have in that piece of `vector`, combined, if I lead a crew; null elsewhere.  Of
/// one sender it comes to its place in `result`, which may be `vector`.
std::byte* HierarchicalCall::combine_in_node(std::byte* vector, std::byte* result) {
  const std::byte* const piece = piece_of(vector);
  if (senders_ == 1) {
    std::byte* const combined = me_ == leader_ ? piece_of(result) : nullptr;
    group_.reduce(piece, combined, static_cast<std::size_t>(piece_.length), op(), leader_);
    return combined;
  }
  std::int64_t* const counts = numbers(nodes_.size(node_));
  for (int member = 0; member < nodes_.size(node_); ++member) counts[member] = 0;
  for (int crew = 0; crew < senders_; ++crew) counts[between_.leader(node_, crew)] = slice(crew).length;
  std::byte* const mine = memory(counts[me_] * frame_.unit);
  group_.reduce_scatter(piece, mine, {0, counts}, op());
  return me_ == leader_ ? mine : nullptr;
}

/// Every leader's slice to everybody on the node.
void HierarchicalCall::share_in_node(std::byte* vector) {
  if (senders_ == 1)
    group_.bcast(piece_of(vector), piece_bytes(), leader_);
  else
    group_.allgather(slices(vector));
}

void HierarchicalCall::barrier() {
  group_.barrier();
  if (me_ == leader_ && crew_ == 0) between_.run(Collective::barrier, frame_, 0, nullptr);
  group_.barrier();
}

/// On the root's node the other members get the vector at once where they send slices of it, and meanwhile where the
/// root sends all of it.
void HierarchicalCall::bcast() {
  each_piece([this] { bcast_piece(); });
}

void HierarchicalCall::bcast_piece() {
  std::byte* const vector = frame_.output;
  const bool ahead = at_root_node() && !root_has_all();
  if (ahead) group_.bcast(piece_of(vector), piece_bytes(), root_member_);
  if (me_ == leader_) {
    const Frame frame = slice_frame(nullptr, at(vector, slice(crew_).offset));
    between_.run(Collective::bcast, frame, root_node_, nullptr);
  }
  if (!at_root_node())
    share_in_node(vector);
  else if (!ahead)
    group_.bcast(piece_of(vector), piece_bytes(), root_member_);
}

void HierarchicalCall::reduce() {
  each_piece([this] { reduce_piece(); });
}

void HierarchicalCall::reduce_piece() {
  std::byte* const mine = combine_in_node(frame_.output, frame_.output);
  if (mine) between_.run(Collective::reduce, slice_frame(nullptr, mine), root_node_, combiner_);
  if (!at_root_node() || root_has_all()) return;
  const Table parts = slices(frame_.output);
  const std::int64_t bytes = parts.sizes[me_];
  if (mine && am_root() && mine != parts.at(me_)) std::memcpy(parts.at(me_), mine, static_cast<std::size_t>(bytes));
  check(group_.gather(am_root() ? parts : one_block(me_, mine, bytes), root_member_, shm::Sizes::own));
}

void HierarchicalCall::allreduce() {
  each_piece([this] { allreduce_piece(); });
}

void HierarchicalCall::allreduce_piece() {
  std::byte* const vector = frame_.output;
  if (std::byte* const mine = combine_in_node(vector, vector)) {
    between_.run(Collective::allreduce, slice_frame(nullptr, mine), 0, combiner_);
    const Extent part = slice(crew_);
    std::byte* const place = at(vector, part.offset * frame_.unit);
    if (mine != place) std::memcpy(place, mine, static_cast<std::size_t>(part.length * frame_.unit));
  }
  share_in_node(vector);
}

/// The earlier nodes' result comes from an exscan of the nodes' totals, and is combined to the left of the node's own
/// scan.
void HierarchicalCall::scan() {
  piece_ = {0, frame_.layouts.output.size(0)};
  const auto count = static_cast<std::size_t>(piece_.length);
  const bool exclusive = call_.collective == Collective::exscan;
  std::byte* const own = exclusive ? frame_.input : frame_.output;
  const auto bytes = static_cast<std::int64_t>(piece_bytes());
  std::byte* const before = memory(bytes);
  if (std::byte* const total = combine_in_node(own, memory(bytes))) {
    std::byte* const part = at(before, slice(crew_).offset * frame_.unit);
    between_.run(Collective::exscan, slice_frame(total, part), 0, combiner_);
  }
  if (node_ > 0) share_in_node(before);
  if (exclusive)
    group_.exscan(own, frame_.output, count, op());
  else
    group_.scan(own, frame_.output, count, op());
  if (node_ == 0) return;
  if (exclusive && me_ == 0)
    std::memcpy(frame_.output, before, piece_bytes());
  else
    op()(before, frame_.output, frame_.output, count);
}

}  // namespace tutti::runtime
