#pragma once
/// MPI 4.1's queries of several requests, made of the query of one, for an MPI that lacks them.  A program may call
/// them there only because libtutti.so exports them (mpi4py does, wherever it finds a name).
///
/// The query of one does not tell an inactive persistent request from one that is complete: here both are complete.
#include <mpi.h>

namespace tutti::preload {

int status_of_all(int count, const MPI_Request* requests, int* flag, MPI_Status* statuses);
int status_of_any(int count, const MPI_Request* requests, int* index, int* flag, MPI_Status* status);
int status_of_some(int count, const MPI_Request* requests, int* found, int* indices, MPI_Status* statuses);

}  // namespace tutti::preload
