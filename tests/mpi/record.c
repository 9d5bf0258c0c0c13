/* record CALLS PAUSE: collectives that a recording must find: of several sites, sizes, roots, communicators; with rank
   1 coming PAUSE milliseconds late to one of them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void sleep_ms(int milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, NULL);
}

__attribute__((noinline)) void sum(double* values, int count, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, comm);
}

__attribute__((noinline)) void spread(int* values, int root) { MPI_Bcast(values, 100, MPI_INT, root, MPI_COMM_WORLD); }

__attribute__((noinline)) void wait_for_all(void) { MPI_Barrier(MPI_COMM_WORLD); }

__attribute__((noinline)) void late(double* values, double* result) {
  MPI_Reduce(values, result, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int calls = argc > 1 ? atoi(argv[1]) : 10, pause = argc > 2 ? atoi(argv[2]) : 0;
  int me, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double values[64] = {0}, result[64];
  int numbers[100] = {0};
  MPI_Comm half, again;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
  for (int i = 0; i < calls; ++i) {
    sum(values, 8, MPI_COMM_WORLD);
    sum(values, 8 + 8 * (i % 2), half);
    spread(numbers, i % ranks);
  }
  wait_for_all();
  for (int i = 0; i < 5; ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, me, &again); /* a handle that comes again */
    sum(values, 1, again);
    MPI_Comm_free(&again);
  }
  for (int i = 0; i < 3; ++i) {
    wait_for_all();
    if (me == 1) sleep_ms(pause);
    late(values, result);
    wait_for_all();
  }
  MPI_Comm_free(&half);
  if (me == 0) puts("record: right");
  MPI_Finalize();
  return 0;
}
