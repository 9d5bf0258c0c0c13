/* An error on one rank alone, in the first calls of a communicator: the error handler returns, and the program makes
   the call again, as it should be.  Ranks that counted calls with errors would agree on how to be served at different
   calls.
   @run[openmpi,impi,debian-mpich] 2,3
   @run[openmpi,impi,debian-mpich] 3 late */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "watch.h"

static int me, size, wrong = 0;

/* The rank of a mistake sees it at once, before anything is sent. */
static void mistaken(MPI_Comm comm, int root) {
  int word = -1;
  if (me == root && MPI_Bcast(&word, -1, MPI_INT, root, comm) == MPI_SUCCESS) wrong = 1, printf("WRONG: no error\n");
  word = me == root ? 7 : -1;
  if (MPI_Bcast(&word, 1, MPI_INT, root, comm) != MPI_SUCCESS || word != 7) wrong = 1, printf("WRONG: word %d\n", word);
  if (me == size - 1 && MPI_Allreduce(&me, &word, 1, MPI_DATATYPE_NULL, MPI_SUM, comm) == MPI_SUCCESS)
    wrong = 1, printf("WRONG: no error for the null type\n");
}

static void sums(MPI_Comm comm, int times) {
  for (int i = 0; i < times; ++i) {
    int mine = me + i, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != size * (size - 1) / 2 + size * i) wrong = 1, printf("WRONG: sum %d in call %d\n", sum, i);
  }
}

int main(int argc, char** argv) {
  int any = 0;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int before = 0; before < 6; ++before) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    sums(comm, before);
    mistaken(comm, before % size);
    if (argc > 1) mistaken(comm, size - 1), mistaken(comm, 0);
    sums(comm, 6);
    mistaken(comm, (before + 1) % size);
    sums(comm, 2);
    MPI_Comm_free(&comm);
  }
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
