#pragma once
/// Calls that move data between the ranks of a node: the user's buffers as the node engine's blocks of bytes.
#include "core/layout.hpp"
#include "mpi/engine.hpp"
#include "mpi/operation.hpp"

namespace tutti::mpi {

/// A row of blocks as the node engine knows them; arrays lie in the arena.
node::Blocks blocks_of(const Layout& layout, std::byte* start, Arena& arena);

/// What the node engine moves; where a collective has one row of blocks, the one that this rank has.
struct Rows {
  node::Blocks in, out;
  node::OwnBlock own{};  ///< unless it has been moved
};

/// The team's part of it.
node::Ending move_rows(const Operation& call, node::Team& team, const Rows& rows, const node::Borders& borders);

/// Carries out a bcast, gather(v), scatter(v), allgather(v) or alltoall(v, w).  Returns an MPI error code.  Throws
/// MpiError, std::bad_alloc: then this rank has forfeited its part, and the others have not waited for it.
int move_on_node(const Operation& call, Engine& engine, const node::Borders& borders);

}  // namespace tutti::mpi
