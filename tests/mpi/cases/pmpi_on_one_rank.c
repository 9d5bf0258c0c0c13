/* MPI_Allreduce on some ranks meets PMPI_Allreduce on another: one function by two names.  That is what an MPMD job
   does of which one program has a profiling tool (or wrappers of its own) linked in: its MPI_X calls PMPI_X.
   @run 2
   @run 3 TUTTI_LAYER=pmpi */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#include "watch.h"

int main(int argc, char** argv) {
  int me, size, wrong = 0;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 10; ++i) {
    int mine = me + i, sum = -1;
    if (me == 0)
      PMPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else
      MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size * (size - 1) / 2 + size * i) wrong = 1, printf("WRONG: sum %d in call %d\n", sum, i);
  }
  if (me == 0 && !wrong) printf("ok\n");
  fflush(stdout);
  alarm(0);
  MPI_Finalize();
  return wrong;
}
