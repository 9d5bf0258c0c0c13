#pragma once
/// Calls on the node engine whose data do not lie in memory as they are moved or combined: packed before and unpacked
/// after, in the engine's arena.
#include "mpi/engine.hpp"
#include "mpi/operation.hpp"

namespace tutti::mpi {

/// Returns an MPI error code.  Throws MpiError, std::bad_alloc: then this rank has forfeited its part, and the others
/// have not waited for it.
int run_staged(const Operation& call, Engine& engine, const node::Borders& borders);

}  // namespace tutti::mpi
