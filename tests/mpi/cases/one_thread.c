/* A process that had so many threads has no more after collectives on new communicators, though one rank comes late
   enough for tutti to say so, and a signal that the program waits for is not taken by a thread of tutti's.
   @run 2,3 TUTTI_PATIENCE=1
   @run 2 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "watch.h"

static int threads(void) {
  char line[256];
  int number = -1;
  FILE* file = fopen("/proc/self/status", "r");
  if (!file) return -1;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "Threads: %d", &number) == 1) break;
  fclose(file);
  return number;
}

int main(int argc, char** argv) {
  int me, size, wrong = 0, before;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 3; ++i) MPI_Barrier(MPI_COMM_WORLD);
  before = threads();
  if (me == size - 1) usleep(1500000); /* the others are in the agreement */
  for (int i = 0; i < 5; ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 20; ++i) {
    MPI_Comm comm;
    int sum = -1;
    MPI_Comm_split(MPI_COMM_WORLD, i % 3 == 2 ? me % 2 : 0, i % 2 ? me : -me, &comm);
    for (int k = 0; k < 6; ++k) MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    if (threads() != before) wrong = 1;
  }
  if (wrong) printf("WRONG: rank %d had %d threads, and has %d\n", me, before, threads());
  if (me == 0 && !wrong) printf("ok\n");
  fflush(stdout);
  MPI_Finalize();
  return wrong;
}
