/* A GPU runtime that one rank loads long after MPI_Init, as an interpreter does that imports a module: a communicator
   that is made from then on is the MPI's where the MPI takes device buffers, on all ranks, whether it is a copy of a
   served one or a part of it, and one without that rank is served.  On a communicator that lives, answers stay right.
   @run 2 native MV2_USE_CUDA=1
   @run 3 native MPICH_GPU_SUPPORT_ENABLED=1
   @run 3 served MPICH_GPU_SUPPORT_ENABLED=0
   @run 3 served MV2_USE_CUDA=1 TUTTI_GPU=host */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"
#include "watch.h"

static int native;

/* Twelve rounds: enough for a communicator to be agreed on.  How many calls the engine served. */
static long rounds(MPI_Comm comm) {
  const long before = served();
  int me, size;
  MPI_Comm_rank(comm, &me), MPI_Comm_size(comm, &size);
  for (int i = 0; i < 12; ++i) {
    int sum = -1, word = me == i % size ? i : -1;
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(&word, 1, MPI_INT, i % size, comm);
    if (sum != size * (size - 1) / 2 || word != i) printf("WRONG: sum %d, word %d\n", sum, word);
  }
  return served() - before;
}

static void expect(const char* what, long calls, int none) {
  if (served() >= 0 && none != (calls == 0)) printf("WRONG: %s: %ld calls were served\n", what, calls);
}

int main(int argc, char** argv) {
  int me, size;
  MPI_Comm copy, part, without;
  MPI_Init(&argc, &argv);
  watch(40);
  native = argc > 1 && strcmp(argv[1], "native") == 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  expect("before the runtime", rounds(MPI_COMM_WORLD), 0);
  if (me == size - 1) load_runtime("libamdhip64.so.6");
  rounds(MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  expect("a copy", rounds(copy), native);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &part);
  expect("all in another order", rounds(part), native);
  MPI_Comm_split(MPI_COMM_WORLD, me == size - 1, me, &without);
  if (size > 2 && me < size - 1) expect("without that rank", rounds(without), 0);
  MPI_Comm_free(&copy), MPI_Comm_free(&part), MPI_Comm_free(&without);
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) printf("ok\n");
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
