/* Planted faults: preloaded in front of tutti, so that a test can see that the fuzzer notices: a wrong byte in a
   result, a byte written beyond the results, a byte of a send buffer, a lost error, an error handled twice, a name of a
   function that gives something else, and one that never returns. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

static int every(int turns) {
  static int calls;
  return ++calls % turns == 0;
}

/* The byte at an element's first datum (a type's data may begin before or after its origin). */
static unsigned char* byte_of(void* buffer, MPI_Aint element, MPI_Datatype type) {
  MPI_Aint lower, extent, first, span;
  PMPI_Type_get_extent(type, &lower, &extent);
  PMPI_Type_get_true_extent(type, &first, &span);
  return (unsigned char*)buffer + element * extent + first;
}

typedef int allreduce(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int status = ((allreduce*)dlsym(RTLD_NEXT, "MPI_Allreduce"))(from, to, count, type, op, comm);
  if (count > 0 && every(7)) *byte_of(to, count - 1, type) ^= 1;
  return status;
}

typedef int bcast(void*, int, MPI_Datatype, int, MPI_Comm);
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int status = ((bcast*)dlsym(RTLD_NEXT, "MPI_Bcast"))(buffer, count, type, root, comm);
  if (every(7)) *byte_of(buffer, count, type) ^= 1; /* the fuzzer guards 64 bytes behind the last element */
  return status;
}

typedef int alltoall(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
int MPI_Alltoall(const void* from, int count, MPI_Datatype type, void* to, int received, MPI_Datatype as,
                 MPI_Comm comm) {
  const int status = ((alltoall*)dlsym(RTLD_NEXT, "MPI_Alltoall"))(from, count, type, to, received, as, comm);
  if (from != MPI_IN_PLACE && count > 0 && every(7)) *byte_of((void*)(size_t)from, 0, type) ^= 1;
  return status;
}

/* The error of a wrong call is lost. */
typedef int reduce(const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
int MPI_Reduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  ((reduce*)dlsym(RTLD_NEXT, "MPI_Reduce"))(from, to, count, type, op, root, comm);
  return MPI_SUCCESS;
}

/* One error, two runs of the user's handler.  (MPICH 5.0.2 returns MPI_SUCCESS after the first.) */
typedef int gather(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm);
int MPI_Gather(const void* from, int count, MPI_Datatype type, void* to, int received, MPI_Datatype as, int root,
               MPI_Comm comm) {
  const int status = ((gather*)dlsym(RTLD_NEXT, "MPI_Gather"))(from, count, type, to, received, as, root, comm);
  if (count < 0 || type == MPI_DATATYPE_NULL) PMPI_Comm_call_errhandler(comm, MPI_ERR_ARG);
  return status;
}

/* Wrong by one of its names alone. */
typedef int scan(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
int PMPI_Scan(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int status = ((scan*)dlsym(RTLD_NEXT, "PMPI_Scan"))(from, to, count, type, op, comm);
  if (count > 0) *byte_of(to, count - 1, type) ^= 1;
  return status;
}

/* A collective that never ends by one of its names: it is answered beside the others. */
int PMPI_Barrier(MPI_Comm comm) {
  (void)comm;
  for (;;) pause();
}

/* Requests: a broadcast lacks its last element, an allreduce's request says at once that it is complete, and a
   gather's never does. */
typedef int ibcast(void*, int, MPI_Datatype, int, MPI_Comm, MPI_Request*);
int MPI_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return ((ibcast*)dlsym(RTLD_NEXT, "MPI_Ibcast"))(buffer, count > 1 ? count - 1 : count, type, root, comm, request);
}

typedef int iallreduce(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*);
int MPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  const int status = ((iallreduce*)dlsym(RTLD_NEXT, "MPI_Iallreduce"))(from, to, count, type, op, comm, request);
  *request = MPI_REQUEST_NULL;
  return status;
}

int MPI_Igather(const void* from, int count, MPI_Datatype type, void* to, int received, MPI_Datatype as, int root,
                MPI_Comm comm, MPI_Request* request) {
  static int nothing;
  (void)from, (void)count, (void)type, (void)to, (void)received, (void)as, (void)root, (void)comm;
  return PMPI_Irecv(&nothing, 1, MPI_INT, 0, 30000, MPI_COMM_SELF, request);
}
