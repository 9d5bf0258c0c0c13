#pragma once
/// The node engine's part of a call: the one place that maps MPI's collectives to those of the engine.
#include "core/layout.hpp"
#include "runtime/arena.hpp"
#include "runtime/plan/operation.hpp"
#include "shm/group.hpp"

namespace tutti::runtime {

/// A row of blocks in the node engine's form; arrays lie in the arena.
shm::Blocks blocks_of(const Layout& layout, std::byte* start, Arena& arena);

/// The blocks that the node engine moves; with a single row of blocks, this rank's one.
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
