#pragma once
/// MPI's functions that take requests, for programs that hold requests of ours: as the MPI defines them, for any mix of
/// ours and others, with our calls moved while they wait or test.
///
/// Nonblocking calls have carriers that the MPI completes by itself.  Persistent requests have carriers that are never
/// started, which the MPI takes for inactive: whether they are active, and complete, is known here alone.
#include <mpi.h>

namespace tutti::runtime::completion {

int wait(MPI_Request* request, MPI_Status* status);
int test(MPI_Request* request, int* flag, MPI_Status* status);
int waitall(int count, MPI_Request* requests, MPI_Status* statuses);
int testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses);
int waitany(int count, MPI_Request* requests, int* index, MPI_Status* status);
int testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status);
int waitsome(int count, MPI_Request* requests, int* found, int* indices, MPI_Status* statuses);
int testsome(int count, MPI_Request* requests, int* found, int* indices, MPI_Status* statuses);

int get_status(MPI_Request request, int* flag, MPI_Status* status);
/// MPI 4.1's, by the MPI's own, which not every mpi.h declares.
using StatusAll = int (*)(int, const MPI_Request*, int*, MPI_Status*);
using StatusAny = int (*)(int, const MPI_Request*, int*, int*, MPI_Status*);
using StatusSome = int (*)(int, const MPI_Request*, int*, int*, MPI_Status*);
int get_status_all(int count, const MPI_Request* requests, int* flag, MPI_Status* statuses, StatusAll next);
int get_status_any(int count, const MPI_Request* requests, int* index, int* flag, MPI_Status* status, StatusAny next);
int get_status_some(int count, const MPI_Request* requests, int* found, int* indices, MPI_Status* statuses,
                    StatusSome next);

int start(MPI_Request* request);
int startall(int count, MPI_Request* requests);
int request_free(MPI_Request* request);
int cancel(MPI_Request* request);

}  // namespace tutti::runtime::completion
