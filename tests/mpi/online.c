/* A loop of allreduces, and of broadcasts from changing roots, whose results are checked: what TUTTI_TUNE=online tunes.
   Prints the seconds of the allreduces, on the slowest rank.  online [CALLS [DOUBLES]] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int calls = argc > 1 ? atoi(argv[1]) : 2000, count = argc > 2 ? atoi(argv[2]) : 1;
  int me, ranks, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double* mine = malloc((size_t)count * sizeof(double));
  double* sum = malloc((size_t)count * sizeof(double));
  const double begin = MPI_Wtime();
  for (int call = 0; call < calls; ++call) {
    for (int i = 0; i < count; ++i) mine[i] = me + call % 7;
    MPI_Allreduce(mine, sum, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    wrong += sum[count - 1] != ranks * (ranks - 1) / 2.0 + ranks * (call % 7);
  }
  double spent = MPI_Wtime() - begin, slowest = 0;
  for (int call = 0; call < calls / 4; ++call) {
    int value = me == call % ranks ? call : -1;
    MPI_Bcast(&value, 1, MPI_INT, call % ranks, MPI_COMM_WORLD);
    wrong += value != call;
  }
  MPI_Reduce(&spent, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  int all = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("online: %d wrong, %.6f s\n", all, slowest);
  free(mine);
  free(sum);
  MPI_Finalize();
  return all != 0;
}
