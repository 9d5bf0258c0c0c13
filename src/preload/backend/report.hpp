#pragma once
/// The end of a program: summary, report, and the release of shared memory.

namespace tutti::preload {

/// Called by the wrapper of MPI_Finalize before the MPI's own, the last moment in which MPI can be called: summary and
/// report are written.  Later collectives (in the delete callbacks of MPI_COMM_SELF) are served.
void finalize_begin();
/// And after it: segments are unmapped.
void finalize_end();

}  // namespace tutti::preload
