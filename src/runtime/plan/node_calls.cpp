#include "runtime/plan/node_calls.hpp"

namespace tutti::runtime {

using enum Collective;

shm::Ending move_rows(const Operation& call, shm::ShmGroup& group, const Rows& rows, const shm::Borders& borders) {
  const bool root = group.me() == call.root;
  const auto sizes = irregular(call.collective) ? shm::Sizes::own : shm::Sizes::equal;
  switch (call.collective) {
    case bcast:
      return group.bcast(rows.out.start, rows.out.block, call.root, borders);
    case gather:
    case gatherv:
      return group.gather(root ? rows.out : rows.in, call.root, sizes, borders, rows.own);
    case scatter:
    case scatterv:
      return group.scatter(root ? rows.in : rows.out, call.root, sizes, borders, rows.own);
    case allgather:
    case allgatherv:
      return group.allgather(rows.out, borders, rows.own);
    default:  // alltoall, alltoallv, alltoallw
      return group.alltoall(rows.in, rows.out, sizes, borders, rows.own);
  }
}

shm::Ending combine_rows(const Operation& call, shm::ShmGroup& group, const void* in, void* out,
                         const shm::Shares& shares, const shm::Reducer& op, const shm::Borders& borders) {
  switch (call.collective) {
    case reduce:
      return group.reduce(in, out, shares.each, op, call.root, borders);
    case scan:
      return group.scan(in, out, shares.each, op, borders);
    case exscan:
      return group.exscan(in, out, shares.each, op, borders);
    case reduce_scatter:
    case reduce_scatter_block:
      return group.reduce_scatter(in, out, shares, op, borders);
    default:
      return group.allreduce(in, out, shares.each, op, borders);
  }
}

shm::Blocks blocks_of(const Layout& layout, std::byte* start, Arena& arena) {
  if (layout.is_regular()) return {start, static_cast<std::size_t>(layout.size(0)), nullptr, nullptr};
  const int owners = layout.owners();
  auto* const offsets = arena.take_array<std::int64_t>(2 * static_cast<std::size_t>(owners));
  auto* const sizes = offsets + owners;
  for (int owner = 0; owner < owners; ++owner) offsets[owner] = layout.offset(owner), sizes[owner] = layout.size(owner);
  return {start, 0, offsets, sizes};
}

}  // namespace tutti::runtime
