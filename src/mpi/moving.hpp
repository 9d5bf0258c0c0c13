#pragma once
/// The node engine's part of a call: the one place that says which of its collectives carries out which of MPI's.
#include "core/layout.hpp"
#include "mpi/arena.hpp"
#include "mpi/operation.hpp"
#include "node/team.hpp"

namespace tutti::mpi {

/// A row of blocks as the node engine knows them; arrays lie in the arena.
node::Blocks blocks_of(const Layout& layout, std::byte* start, Arena& arena);

/// What the node engine moves; where a collective has one row of blocks, the one that this rank has.
struct Rows {
  node::Blocks in, out;
  node::OwnBlock own{};  ///< unless it has been moved
};

/// Bcast, gather(v), scatter(v), allgather(v), alltoall(v, w).
node::Ending move_rows(const Operation& call, node::Team& team, const Rows& rows, const node::Borders& borders);

/// Reductions and scans, of packed elements: `shares.each` of a vector, or the blocks of a reduce_scatter(_block).
/// `out` is null on a rank that gets nothing.
node::Ending combine_rows(const Operation& call, node::Team& team, const void* in, void* out,
                          const node::Shares& shares, const node::Reducer& op, const node::Borders& borders);

}  // namespace tutti::mpi
