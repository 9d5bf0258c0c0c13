#pragma once
/// Calls on the node engine whose data is not contiguous: packed before and unpacked after, in the engine's arena.
#include "runtime/communicator/engine.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

/// Returns an MPI error code.  Throws MpiError, std::bad_alloc: then this rank has forfeited its part, and the others
/// have not waited for it.
int run_staged(const Operation& call, Engine& engine, const shm::Borders& borders);

}  // namespace tutti::runtime
