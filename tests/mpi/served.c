/* What a warm served call costs outside data movement and waiting: MPI_Bcast of nothing, which is decided, counted and
   carried out like any other but has nothing to move and nobody to wait for.  Prints the least of many batches.

   A core whose other thread works, of this job or of somebody else's machine on the same processor, is slower for as
   long as that goes on: 47 ns became 78.  Writing a line of text is slower then by as much, so that the bar of 60 ns is
   also 0.7 lines of text, which take 85 ns each on that machine when it is quiet. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { calls = 1000, batches = 500 };
static const double bar = 60 /* ns */, bar_in_lines = 0.7;

static double seconds_between(struct timespec start, struct timespec end) {
  return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* ns to write one. */
static double line_of_text(void) {
  struct timespec start, end;
  char text[64];
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < calls; ++i) snprintf(text, sizeof text, "%d %s %d", i, "of", calls);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return 1e9 * seconds_between(start, end) / calls;
}

static double batch(void) {
  struct timespec start, end;
  char nothing = 0;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < calls; ++i) MPI_Bcast(&nothing, 0, MPI_CHAR, 0, MPI_COMM_WORLD);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return 1e9 * seconds_between(start, end) / calls;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (int i = 0; i < 8; ++i) MPI_Barrier(MPI_COMM_WORLD); /* activation */
  double call = 1e9, line = 1e9;
  for (int i = 0; i < batches; ++i) {
    const double a_call = batch(), a_line = line_of_text();
    if (a_call < call) call = a_call;
    if (a_line < line) line = a_line;
  }
  double mine[2] = {call, call / line}, worst[2];
  MPI_Reduce(mine, worst, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (me == 0) {
    printf("served: %.1f ns a call, %.2f lines of text\n", worst[0], worst[1]);
    printf("served: %s\n", worst[0] < bar || worst[1] < bar_in_lines ? "below 60 ns" : "60 ns or more");
  }
  MPI_Finalize();
  return 0;
}
