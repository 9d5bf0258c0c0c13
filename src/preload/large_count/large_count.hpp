#pragma once
/// Large-count forms (MPI_X_c) made of the int forms, for an MPI that lacks them: Open MPI up to 5.  A program may call
/// MPI_X_c there only because libtutti.so exports it (mpi4py does, wherever it finds the name).
#include "runtime/plan/operation.hpp"

namespace tutti::preload {

/// Runs the call by `next`'s int form.  Returns an MPI error code; where it is not MPI_SUCCESS, the communicator's
/// error handler has run.
///
/// What fits int is passed on with its arrays converted: one call, and ranks may mix the two forms.  Beyond that, the
/// local side is described to MPI otherwise (one element of a larger type), or, where all ranks know that it is
/// needed, the call is cut into several: reductions by elements, allgatherv into broadcasts, reduce_scatter into
/// reductions.  Only gatherv, scatterv and alltoallv, and calls between two groups, may be left: their counts and
/// displacements are known to one rank alone.  Where these fit int in no common unit: MPI_ERR_COUNT, on that rank.
int call_narrow(const runtime::Operation& call) noexcept;

}  // namespace tutti::preload
