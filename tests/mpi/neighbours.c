/* neighbours: what waiting ranks take from programs that compute on the same CPUs.
   Ranks 0 .. p-3 form a communicator; in each round they first sleep, then wait in a barrier for rank 0, which comes
   late.  The last two ranks each compute on a CPU of their own, all the time, and count how far they get beside the
   sleeping and beside the waiting ranks.  Prints the median loss of the one that loses more, and how much the speed
   beside sleeping ranks varies: where other programs take part of the CPUs, the loss says little. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { rounds = 5 };
static const double sleeping = 0.4, waiting = 0.5, settled = 0.02;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_until(double moment) {
  const struct timespec time = {(time_t)moment, (long)((moment - (double)(time_t)moment) * 1e9)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static void on_cpu(int which) {
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all) && which-- == 0) CPU_SET(cpu, &one);
  if (CPU_COUNT(&one) != 0) sched_setaffinity(0, sizeof one, &one);
}

/* Pieces of work a second. */
static double speed(double begin, double end) {
  volatile double sum = 0;
  long pieces = 0;
  sleep_until(begin);
  const double first = now();
  double last = first;
  for (; last < end; ++pieces, last = now())
    for (int i = 0; i < 20000; ++i) sum += i;
  return (double)pieces / (last - first);
}

static int by_size(const void* a, const void* b) {
  return (*(const double*)a > *(const double*)b) - (*(const double*)a < *(const double*)b);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int computes = me >= ranks - 2;
  MPI_Comm waiters;
  MPI_Comm_split(MPI_COMM_WORLD, computes, me, &waiters);
  for (int i = 0; i < 8; ++i) MPI_Barrier(waiters); /* activation */
  if (computes) on_cpu(me - (ranks - 2));
  double start = now() + 0.3, losses[rounds] = {0}, slowest = 1e99, fastest = 0;
  MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int round = 0; round < rounds; ++round, start += sleeping + waiting + 0.1) {
    const double entered = start + sleeping, over = entered + waiting;
    if (computes) {
      const double alone = speed(start, entered - settled), beside = speed(entered + settled, over - settled);
      losses[round] = 1 - beside / alone;
      if (alone < slowest) slowest = alone;
      if (alone > fastest) fastest = alone;
      continue;
    }
    sleep_until(me == 0 ? over : entered);
    MPI_Barrier(waiters);
  }
  qsort(losses, rounds, sizeof losses[0], by_size);
  const double mine[2] = {losses[rounds / 2], computes ? fastest / slowest - 1 : 0};
  double worst[2];
  MPI_Reduce(mine, worst, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (me == 0) printf("neighbours: lose %.1f %%, vary by %.1f %%\n", 100 * worst[0], 100 * worst[1]);
  MPI_Comm_free(&waiters);
  MPI_Finalize();
  return 0;
}
