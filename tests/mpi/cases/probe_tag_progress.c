/* A large message that only its sender can move, while that sender waits in a collective, on transports where it must.
   The program has an unreceived message of the largest tag, which a look for messages must not find instead of moving.
   @run[openmpi] 2 OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self
   @run[impi] 2 I_MPI_FABRICS=ofi FI_PROVIDER=tcp
   @run[mpich] 2 MPIR_CVAR_CH4_CMA_ENABLE=0
   @run 2 1 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "watch.h"

enum { bytes = 16 << 20 };

int main(int argc, char** argv) {
  int me, word = 42, tag = 32767;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  watch(40);
  if (argc > 1) tag = atoi(argv[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  char* data = calloc(bytes, 1);
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  if (me == 1) MPI_Send(&word, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
  for (int found = 0; me == 0 && !found;) MPI_Iprobe(1, tag, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  if (me == 0) {
    data[bytes - 1] = 5;
    MPI_Isend(data, bytes, MPI_BYTE, 1, 7, MPI_COMM_WORLD, &request);
  }
  if (me == 1) {
    MPI_Recv(data, bytes, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (data[bytes - 1] != 5) printf("WRONG: data\n"), fflush(stdout), MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (me == 0) MPI_Recv(&word, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (me == 0) printf("ok\n");
  free(data);
  MPI_Finalize();
  return 0;
}
