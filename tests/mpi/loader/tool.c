/* Another tool in the chain, as mpiP or Score-P: defines MPI_X and calls PMPI_X.  Says at the end what it saw. */
#include <mpi.h>
#include <stdio.h>

static int seen;

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  ++seen;
  return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Finalize(void) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("tool: saw %d\n", seen);
  return PMPI_Finalize();
}
