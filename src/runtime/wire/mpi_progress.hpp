#pragma once
/// Making the MPI underneath move messages: by testing a receive that nobody ever matches.  (A null request, or a look
/// for messages from MPI_PROC_NULL, moves nothing.)
///
/// The receive is posted on a communicator of our own, one a process, of this process alone.  MPI_Iprobe on the user's
/// communicator moves nothing where it finds a message of the user's with the tag that we ask for; on one of a single
/// process, MPICH's never does.
#include <mpi.h>

#include <atomic>

namespace tutti::runtime {

/// `users`: a communicator of the user's, for where ours cannot be had: in sessions there is no MPI_COMM_SELF to make
/// it of, and in the delete callbacks of MPI_COMM_SELF it is gone.  Two threads may look at once.
void look_for_messages(MPI_Comm users);

/// Something may have come that no call has moved: a collective in shared memory moves no messages.  Of all threads
/// together: one probe too many costs less than one too few.  src/preload/probe retries where it is set.
inline std::atomic<bool> maybe_unmoved{false};

/// Takes the receive back.  Before MPI_Finalize, as libraries report what is left.
void close_lookout() noexcept;

}  // namespace tutti::runtime
