#pragma once
/// MPI progress: by testing a receive that nobody ever matches.  (A test of a null request, or a probe of
/// MPI_PROC_NULL, makes none.)
///
/// The receive is posted on a communicator of our own, one a process, of this process alone.  MPI_Iprobe on the user's
/// communicator makes no progress if it matches a message of the user's; on a communicator of a single process, MPICH's
/// never does.
#include <mpi.h>

#include <atomic>

namespace tutti::runtime {

/// `users`: a communicator of the user's, used if there is none of our own: in sessions there is no MPI_COMM_SELF to
/// make it of, and in the delete callbacks of MPI_COMM_SELF it is gone.  Thread-safe.
void look_for_messages(MPI_Comm users);

/// A message may have arrived without progress: a collective in shared memory makes none.  One flag for all threads: a
/// probe too many costs less than one too few.  src/preload/probe retries where it is set.
inline std::atomic<bool> maybe_unmoved{false};

/// Takes the receive back.  Before MPI_Finalize, as libraries report what is left.
void close_lookout() noexcept;

}  // namespace tutti::runtime
