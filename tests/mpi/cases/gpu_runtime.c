/* A GPU runtime in the process of one rank.  Where the MPI takes device buffers (MV2_USE_CUDA stands for that here),
   the communicators that are agreed on with it loaded are the MPI's, on all ranks: TUTTI_GPU=host, no such MPI, or a
   communicator without that rank, and they are served.  The runtime is a copy of another library by its name.
   @run 2 native MV2_USE_CUDA=1
   @run 3 native MV2_USE_CUDA=1
   @run 2 served MV2_USE_CUDA=1 TUTTI_GPU=host
   @run 2 served */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"

static void collectives(MPI_Comm comm) {
  int me, size, sum = -1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < 12; ++i) {
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != size * (size - 1) / 2) printf("WRONG: sum %d\n", sum);
  }
}

int main(int argc, char** argv) {
  int me, size;
  MPI_Comm without;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, me == size - 1, me, &without);
  if (me == size - 1) load_runtime("libcuda.so.1");
  const long before = served();
  collectives(MPI_COMM_WORLD);
  const long with = served() - before;
  collectives(without);
  const long rest = served() - before - with;
  const int native = argc > 1 && strcmp(argv[1], "native") == 0;
  if (before >= 0 && native != (with == 0)) printf("WRONG: %ld were served\n", with);
  if (before >= 0 && size == 3 && me < 2 && rest == 0) printf("WRONG: none was served without that rank\n");
  if (me == 0) printf("ok\n");
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
