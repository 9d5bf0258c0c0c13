#pragma once
/// The end of MPI, where MPI_Finalize does not pass through libtutti.so: the library is linked after the MPI.

namespace tutti::shared {

/// At the first result: from MPI_Finalize on, nothing of tutti's on communicators is freed any more.
void retire_at_finalize();

}  // namespace tutti::shared
