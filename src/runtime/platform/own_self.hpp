#pragma once
/// A communicator of our own, of this process alone: errors on it come back as codes. A query on the user's
/// communicator would run the user's error handler, and one without a communicator (MPI_Reduce_local) that of
/// MPI_COMM_SELF or MPI_COMM_WORLD.
#include <mpi.h>

namespace tutti::runtime {

/// Null before MPI_Init, after MPI_Finalize, and with sessions alone.
MPI_Comm own_self();

/// That one, else `users`.
MPI_Comm quiet_comm(MPI_Comm users);

}  // namespace tutti::runtime
