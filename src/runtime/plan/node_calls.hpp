#pragma once
/// The node engine's part of a call: the one place that says which of its collectives carries out which of MPI's.
#include "core/layout.hpp"
#include "runtime/arena.hpp"
#include "runtime/plan/operation.hpp"
#include "shm/group.hpp"

namespace tutti::runtime {

/// A row of blocks as the node engine knows them; arrays lie in the arena.
shm::Blocks blocks_of(const Layout& layout, std::byte* start, Arena& arena);

/// What the node engine moves; where a collective has one row of blocks, the one that this rank has.
struct Rows {
  shm::Blocks in, out;
  shm::OwnBlock own{};  ///< unless it has been moved
};

/// Bcast, gather(v), scatter(v), allgather(v), alltoall(v, w).
shm::Ending move_rows(const Operation& call, shm::ShmGroup& group, const Rows& rows, const shm::Borders& borders);

/// Reductions and scans, of packed elements: `shares.each` of a vector, or the blocks of a reduce_scatter(_block).
/// `out` is null on a rank that gets nothing.
shm::Ending combine_rows(const Operation& call, shm::ShmGroup& group, const void* in, void* out,
                         const shm::Shares& shares, const shm::Reducer& op, const shm::Borders& borders);

}  // namespace tutti::runtime
