#pragma once
/// Calls that move data between the ranks of a node: the user's buffers as the node engine's blocks of bytes.
#include "core/layout.hpp"
#include "mpi/engine.hpp"
#include "mpi/operation.hpp"

namespace tutti::mpi {

/// A row of blocks as the node engine knows them; arrays lie in the arena.
node::Blocks blocks_of(const Layout& layout, std::byte* start, Arena& arena);

/// Carries out a bcast, gather(v), scatter(v), allgather(v) or alltoall(v, w).  Throws MpiError, std::bad_alloc.
void move_on_node(const Operation& call, Engine& engine, const node::Borders& borders);

}  // namespace tutti::mpi
