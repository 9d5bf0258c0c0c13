#pragma once
/// Moves calls while the program is in a call of the MPI's that knows nothing of them (MPI_Recv, MPI_Win_fence, ...):
/// by the MPI's own progress, which calls back.
///
/// A call over messages needs the MPI on every rank, again and again.  A rank that waits in MPI_Recv for another, which
/// waits for a nonblocking collective of both, would wait for ever.  Open MPI's libraries have a list of what is called
/// where they progress; MPICH's has MPIX_Async_start.  Elsewhere the ticker does it where threads may call the MPI.
#include <string>

namespace tutti::runtime::progress_hook {

/// Whether calls over messages can be moved wherever the program is.
bool possible();
/// From now on they are.  Once a process.
void install();
/// No longer.  Before MPI_Finalize.
void remove() noexcept;
/// The MPI does not call back, and the ticker is to call it.
bool by_ticker();

}  // namespace tutti::runtime::progress_hook
