#pragma once
/// A collective as an MPI library makes it, called by an Operation: the one place that says which of MPI's functions is
/// which of ours.
#include "runtime/plan/operation.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

/// What a call of MPI's gets as its buffers: MPI_IN_PLACE on the side that the collective marks with it.
const void* sent(const Operation& call);
void* received(const Operation& call);

/// Makes the call by a library's functions of int counts.  Counts must fit int where they are significant, or be arrays
/// given wide of a gatherv, scatterv or alltoallv: those go to the wide functions of the MPI underneath, which it must
/// have.  Returns an MPI error code, whose error handler has run.
int call_mpi(const Collectives& mpi, const Operation& call);

/// By the MPI underneath.
inline int call_mpi(const Operation& call) { return call_mpi(pmpi, call); }

/// Starts the MPI's nonblocking form of the call, of int counts.
int start_mpi(const Operation& call, MPI_Request& request);

}  // namespace tutti::runtime
