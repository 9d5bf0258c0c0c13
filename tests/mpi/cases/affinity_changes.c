/* The program changes its affinity while collectives are served: all ranks on one CPU, each on another, all on all. Its
   masks stay as it set them, ranks that share one CPU get on, and those that no longer do as well.
   @run 2,3,5
   @run 5 TUTTI_NODE_SPREAD=off */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>

#include "watch.h"

static int me, size, wrong;

/* Few: an MPI that never yields takes milliseconds for what it does by itself. */
static void collectives(const cpu_set_t* mask) {
  cpu_set_t now;
  sched_setaffinity(0, sizeof *mask, mask);
  for (int i = 0; i < 300; ++i) {
    int sum = -1;
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size * (size - 1) / 2) wrong = 1;
    if (i % 30) continue;
    sched_getaffinity(0, sizeof now, &now);
    if (!CPU_EQUAL(&now, mask)) wrong = 1, printf("WRONG: rank %d runs elsewhere in call %d\n", me, i);
    if (!CPU_ISSET((unsigned)sched_getcpu(), mask)) wrong = 1, printf("WRONG: rank %d has left its mask\n", me);
  }
}

int main(int argc, char** argv) {
  cpu_set_t all, one;
  int cpus[CPU_SETSIZE], count = 0;
  MPI_Init(&argc, &argv);
  watch(60);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  sched_getaffinity(0, sizeof all, &all);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET((unsigned)i, &all)) cpus[count++] = i;
  collectives(&all);
  for (int turn = 0; turn < 4; ++turn) {
    CPU_ZERO(&one);
    CPU_SET((unsigned)cpus[turn % 2 ? me % count : 0], &one);
    collectives(&one);
    collectives(&all);
  }
  if (me == 0 && !wrong) printf("ok\n");
  fflush(stdout);
  MPI_Finalize();
  return wrong;
}
