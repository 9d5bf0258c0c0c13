/* Planted faults: preloaded in front of tutti, spoils what a collective gave once in a while, so that a test can see
   that the fuzzer notices: a wrong byte in a result, a byte written beyond the results, a byte of a send buffer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

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
