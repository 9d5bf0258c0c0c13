#pragma once
/// A communicator of this process alone, of our own: what the MPI underneath refuses on it, it refuses quietly.
/// A question asked on the user's communicator would run the user's error handler, and one without a communicator
/// (MPI_Reduce_local) that of MPI_COMM_SELF or MPI_COMM_WORLD.
#include <mpi.h>

namespace tutti::runtime {

/// Null before MPI_Init, after MPI_Finalize, and with sessions alone.
MPI_Comm own_self();

/// That one, else `users`.
MPI_Comm quiet_comm(MPI_Comm users);

}  // namespace tutti::runtime
