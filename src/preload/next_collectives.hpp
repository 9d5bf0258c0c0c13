#pragma once
/// The collectives that wrappers pass on to, as call_mpi takes them.
#include "preload/next.hpp"
#include "runtime/mpi_collective.hpp"

namespace tutti::preload {

inline runtime::Collectives next_collectives() {
#define TUTTI_NEXT(name) next.MPI_##name,
  return {TUTTI_PMPI_COLLECTIVES(TUTTI_NEXT)};
#undef TUTTI_NEXT
}

}  // namespace tutti::preload
