/// The leader of a crew and its members; the root and the leaders of its node.
#include <cstring>

#include "runtime/errors.hpp"
#include "runtime/hierarchy/hierarchical_call.hpp"

namespace tutti::runtime {

HierarchicalCall::Table HierarchicalCall::no_blocks(std::byte* start) {
  const int size = nodes_.size(node_);
  std::int64_t* const zeros = numbers(2 * size);
  std::memset(zeros, 0, 2 * static_cast<std::size_t>(size) * sizeof *zeros);
  return {start, zeros, zeros + size};
}

HierarchicalCall::Table HierarchicalCall::one_block(int member, std::byte* start, std::int64_t bytes) {
  Table blocks = no_blocks(start);
  blocks.set(member, 0, bytes);
  return blocks;
}

/// Each leader's block is what its lane holds.
HierarchicalCall::Table HierarchicalCall::blocks_of_leaders(const Row& row) {
  Table blocks = no_blocks(row.start);
  for (int crew = 0; crew < senders_; ++crew) {
    const int begin = formation_.begin(crew), end = formation_.begin(crew + 1);
    blocks.set(between_.leader(node_, crew), row.offsets[begin], row.bytes(begin, end));
  }
  return blocks;
}

/// Each leader's block is what its lane holds of that node.
void HierarchicalCall::set_blocks_of_node(Table& table, const Row& row, int node) const {
  for (int crew = 0; crew < senders_; ++crew) {
    const int begin = formation_.begin(crew, node), end = begin + formation_.crew_size(node, crew);
    table.set(between_.leader(node_, crew), row.place(begin), row.bytes(begin, end));
  }
}

/// Each member's block, of my crew.
HierarchicalCall::Table HierarchicalCall::blocks_of_crew(const Row& row) {
  Table blocks = no_blocks(row.start);
  const int first = formation_.first_member(node_, crew_), begin = formation_.begin(crew_, node_);
  for (int i = 0; i < formation_.crew_size(node_, crew_); ++i)
    blocks.set(first + i, row.place(begin + i), row.bytes(begin + i, begin + i + 1));
  return blocks;
}

void HierarchicalCall::check(shm::Ending ending) const { require(code_of(ending), "a block longer than expected"); }

/// Each member's block, which lies at `own`, comes to its place in its leader's row.
void HierarchicalCall::collect(const Row& row, std::byte* own) {
  const std::int64_t bytes = row.bytes(my_position(), my_position() + 1);
  const bool leads = me_ == leader_;
  if (leads && own != row.at(my_position()) && bytes > 0)
    std::memcpy(row.at(my_position()), own, static_cast<std::size_t>(bytes));
  if (senders_ == 1)
    return check(group_.gather(leads ? blocks_of_crew(row) : one_block(me_, own, bytes), leader_, sizes_));
  const Table out = leads ? blocks_of_crew(row) : no_blocks();
  check(group_.alltoall(leads ? no_blocks() : one_block(leader_, own, bytes), out, shm::Sizes::own));
}

/// The other way.
void HierarchicalCall::distribute(const Row& row, std::byte* own) {
  const std::int64_t bytes = row.bytes(my_position(), my_position() + 1);
  const bool leads = me_ == leader_;
  if (leads && own != row.at(my_position()) && bytes > 0)
    std::memcpy(own, row.at(my_position()), static_cast<std::size_t>(bytes));
  if (senders_ == 1)
    return check(group_.scatter(leads ? blocks_of_crew(row) : one_block(me_, own, bytes), leader_, sizes_));
  const Table in = leads ? blocks_of_crew(row) : no_blocks();
  check(group_.alltoall(in, leads ? no_blocks() : one_block(leader_, own, bytes), shm::Sizes::own));
}

/// What the leaders of the root's node hold comes to the root.
void HierarchicalCall::to_root(const Row& row) {
  if (root_has_all()) return;
  check(group_.gather(blocks_of_leaders(row), root_member_, shm::Sizes::own));
}

/// The other way.
void HierarchicalCall::from_root(const Row& row) {
  if (root_has_all()) return;
  check(group_.scatter(blocks_of_leaders(row), root_member_, shm::Sizes::own));
}

}  // namespace tutti::runtime
