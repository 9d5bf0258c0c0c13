/* Communicators come, go and stay.
     communicators churn N K   split, K collectives, free, N times; prints microseconds a turn
     communicators keep N      N communicators with 6 collectives each, all kept, then used again, then freed */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong = 0;

static void use(MPI_Comm comm, int times) {
  int me, size;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < times; ++i) {
    int sum = -1, mine = me + i;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != size * (size - 1) / 2 + size * i) wrong = 1;
  }
}

static void churn(int turns, int collectives) {
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (int warm = 1; warm >= 0; --warm) {
    const double start = MPI_Wtime();
    const int count = warm ? turns / 10 + 1 : turns;
    for (int i = 0; i < count; ++i) {
      MPI_Comm comm;
      MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? -me : me, &comm);
      use(comm, collectives);
      MPI_Comm_free(&comm);
    }
    if (!warm && me == 0) printf("churn: %.3f us\n", (MPI_Wtime() - start) / count * 1e6);
  }
}

static void keep(int count) {
  MPI_Comm* kept = malloc((size_t)count * sizeof *kept);
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (int i = 0; i < count; ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, me, &kept[i]);
    use(kept[i], 6);
  }
  for (int i = 0; i < count; ++i) use(kept[i], 2);
  for (int i = 0; i < count; ++i) MPI_Comm_free(&kept[i]);
  free(kept);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (argc > 3 && !strcmp(argv[1], "churn"))
    churn(atoi(argv[2]), atoi(argv[3]));
  else if (argc > 2 && !strcmp(argv[1], "keep"))
    keep(atoi(argv[2]));
  if (wrong) fprintf(stderr, "communicators: wrong sum on rank %d\n", me);
  int any = 0;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("communicators: right\n");
  MPI_Finalize();
  return any;
}
