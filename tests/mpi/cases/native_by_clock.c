/* node(native=clock): the MPI's own and the node engine take turns in a program's own calls, on all ranks at the same
   ones; results do not depend on who made a call.  Rooted calls, whose ranks do not wait for one another, come between.
   @run 2,3,5 TUTTI_ALLGATHER=node(native=clock) TUTTI_ALLTOALL=node(native=clock)
   @run 2,3 TUTTI_ALLGATHERV=node(copy=clock,native=clock) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

enum { kinds = 3, rounds = 160, most = 16384, ranks_at_most = 8 };

static const char* const asked_by[] = {"TUTTI_ALLGATHER", "TUTTI_ALLTOALL", "TUTTI_ALLGATHERV"};
static int me, ranks, wrong;
static int mine[most * ranks_at_most], theirs[most * ranks_at_most], counts[ranks_at_most], places[ranks_at_most];

static void call(int kind, int count, int round) {
  for (int i = 0; i < count * ranks; ++i) mine[i] = me * 1000 + i % 97 + round;
  memset(theirs, 0, sizeof theirs);
  switch (kind) {
    case 0:
      MPI_Allgather(mine, count, MPI_INT, theirs, count, MPI_INT, MPI_COMM_WORLD);
      break;
    case 1:
      MPI_Alltoall(mine, count, MPI_INT, theirs, count, MPI_INT, MPI_COMM_WORLD);
      break;
    default:
      MPI_Allgatherv(mine, count, MPI_INT, theirs, counts, places, MPI_INT, MPI_COMM_WORLD);
      break;
  }
  for (int i = 0; i < count; i += 61)
    for (int rank = 0; rank < ranks; ++rank)
      wrong += theirs[rank * count + i] != rank * 1000 + (kind == 1 ? me * count + i : i) % 97 + round;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  watch(100);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* (*last_choice)(void) = (const char* (*)(void))dlsym(RTLD_DEFAULT, "tutti_last_choice");
  int native[kinds] = {0}, served[kinds] = {0}, least[kinds], greatest[kinds];
  for (int round = 0; round < rounds; ++round)
    for (int kind = 0; kind < kinds; ++kind) {
      const int count = round % 3 == 1 ? most / 4 : most / 8; /* two size classes, whose trials are their own */
      for (int rank = 0; rank < ranks; ++rank) counts[rank] = count, places[rank] = rank * count;
      call(kind, count, round);
      if (last_choice) (strcmp(last_choice(), "native") ? served : native)[kind]++;
      int token = round;
      if (round % 5 == 0) MPI_Bcast(&token, 1, MPI_INT, round % ranks, MPI_COMM_WORLD);
      wrong += token != round;
    }
  MPI_Allreduce(native, least, kinds, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(native, greatest, kinds, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int kind = 0; last_choice && kind < kinds; ++kind) {
    const int few = getenv(asked_by[kind]) && (native[kind] < 16 || served[kind] < 16);
    if (least[kind] != greatest[kind] || few)
      wrong++, printf("WRONG: kind %d on rank %d: %d native (%d to %d), %d served\n", kind, me, native[kind],
                      least[kind], greatest[kind], served[kind]);
  }
  if (wrong) printf("WRONG: %d on rank %d\n", wrong, me);
  if (me == 0 && !wrong) printf("ok\n");
  fflush(stdout);
  MPI_Finalize();
  return wrong != 0;
}
