#include "mpi/moving.hpp"

namespace tutti::mpi {

using enum Collective;

node::Ending move_rows(const Operation& call, node::Team& team, const Rows& rows, const node::Borders& borders) {
  const bool root = team.me() == call.root;
  const auto sizes = irregular(call.collective) ? node::Sizes::own : node::Sizes::equal;
  switch (call.collective) {
    case bcast:
      return team.bcast(rows.out.start, rows.out.block, call.root, borders);
    case gather:
    case gatherv:
      return team.gather(root ? rows.out : rows.in, call.root, sizes, borders, rows.own);
    case scatter:
    case scatterv:
      return team.scatter(root ? rows.in : rows.out, call.root, sizes, borders, rows.own);
    case allgather:
    case allgatherv:
      return team.allgather(rows.out, borders, rows.own);
    default:  // alltoall, alltoallv, alltoallw
      return team.alltoall(rows.in, rows.out, sizes, borders, rows.own);
  }
}

node::Ending combine_rows(const Operation& call, node::Team& team, const void* in, void* out,
                          const node::Shares& shares, const node::Reducer& op, const node::Borders& borders) {
  switch (call.collective) {
    case reduce:
      return team.reduce(in, out, shares.each, op, call.root, borders);
    case scan:
      return team.scan(in, out, shares.each, op);
    case exscan:
      return team.exscan(in, out, shares.each, op);
    case reduce_scatter:
    case reduce_scatter_block:
      return team.reduce_scatter(in, out, shares, op, borders);
    default:
      return team.allreduce(in, out, shares.each, op, borders);
  }
}

node::Blocks blocks_of(const Layout& layout, std::byte* start, Arena& arena) {
  if (layout.is_regular()) return {start, static_cast<std::size_t>(layout.size(0)), nullptr, nullptr};
  const int owners = layout.owners();
  auto* const offsets = arena.take_array<std::int64_t>(2 * static_cast<std::size_t>(owners));
  auto* const sizes = offsets + owners;
  for (int owner = 0; owner < owners; ++owner) offsets[owner] = layout.offset(owner), sizes[owner] = layout.size(owner);
  return {start, 0, offsets, sizes};
}

}  // namespace tutti::mpi
