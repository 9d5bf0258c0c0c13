/* Every blocking collective, int form, several times, with every result checked.  argv[1]: calls that tutti must have
   counted for each collective and rank, or -1 for any number.  Prints `collectives: right` on rank 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/tutti.h"

enum { most = 64, times = 6 };

static int rank, size, wrong;

static void expect(const char* what, int round, long got, long wanted) {
  if (got == wanted || wrong++ > 10) return;
  fprintf(stderr, "rank %d, round %d, %s: %ld, should be %ld\n", rank, round, what, got, wanted);
}

static void moving(int round) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const int root = round % size;
  int in[most], out[most], counts[most], places[most], bytes[most];
  MPI_Datatype types[most];
  for (int i = 0; i < size; ++i) {
    in[i] = 1000 * rank + i + round, out[i] = -1;
    counts[i] = 1, places[i] = size - 1 - i, bytes[i] = 4 * i, types[i] = MPI_INT;
  }
  MPI_Barrier(world);
  int value = rank == root ? 7 + round : -1;
  MPI_Bcast(&value, 1, MPI_INT, root, world);
  expect("bcast", round, value, 7 + round);
  MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, root, world);
  for (int i = 0; i < size && rank == root; ++i) expect("gather", round, out[i], 1000 * i + round);
  MPI_Gatherv(in, 1, MPI_INT, out, counts, places, MPI_INT, root, world);
  for (int i = 0; i < size && rank == root; ++i) expect("gatherv", round, out[size - 1 - i], 1000 * i + round);
  MPI_Scatter(in, 1, MPI_INT, &value, 1, MPI_INT, root, world);
  expect("scatter", round, value, 1000 * root + rank + round);
  MPI_Scatterv(in, counts, places, MPI_INT, &value, 1, MPI_INT, root, world);
  expect("scatterv", round, value, 1000 * root + size - 1 - rank + round);
  MPI_Allgather(in, 1, MPI_INT, out, 1, MPI_INT, world);
  for (int i = 0; i < size; ++i) expect("allgather", round, out[i], 1000 * i + round);
  for (int i = 0; i < size; ++i) out[i] = i == rank ? 500 + rank : -1;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 1, MPI_INT, world);
  for (int i = 0; i < size; ++i) expect("allgather in place", round, out[i], 500 + i);
  MPI_Allgatherv(in, 1, MPI_INT, out, counts, places, MPI_INT, world);
  for (int i = 0; i < size; ++i) expect("allgatherv", round, out[size - 1 - i], 1000 * i + round);
  MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, world);
  for (int i = 0; i < size; ++i) expect("alltoall", round, out[i], 1000 * i + rank + round);
  MPI_Alltoallv(in, counts, places, MPI_INT, out, counts, places, MPI_INT, world);
  for (int i = 0; i < size; ++i) expect("alltoallv", round, out[size - 1 - i], 1000 * i + size - 1 - rank + round);
  MPI_Alltoallw(in, counts, bytes, types, out, counts, bytes, types, world);
  for (int i = 0; i < size; ++i) expect("alltoallw", round, out[i], 1000 * i + rank + round);
}

static void reducing(int round) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const int root = round % size, all = size * (size - 1) / 2;
  int in[most], out[most], counts[most];
  for (int i = 0; i < size; ++i) in[i] = rank + i + round, out[i] = -1, counts[i] = 1;
  MPI_Reduce(in, out, size, MPI_INT, MPI_SUM, root, world);
  for (int i = 0; i < size && rank == root; ++i) expect("reduce", round, out[i], all + size * (i + round));
  MPI_Allreduce(in, out, size, MPI_INT, MPI_SUM, world);
  for (int i = 0; i < size; ++i) expect("allreduce", round, out[i], all + size * (i + round));
  out[0] = rank + round;
  MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_INT, MPI_MAX, world);
  expect("allreduce in place", round, out[0], size - 1 + round);
  MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, world);
  expect("reduce_scatter", round, out[0], all + size * (rank + round));
  MPI_Reduce_scatter_block(in, out, 1, MPI_INT, MPI_SUM, world);
  expect("reduce_scatter_block", round, out[0], all + size * (rank + round));
  MPI_Scan(in, out, 1, MPI_INT, MPI_SUM, world);
  expect("scan", round, out[0], rank * (rank + 1) / 2 + (rank + 1) * round);
  MPI_Exscan(in, out, 1, MPI_INT, MPI_SUM, world);
  if (rank > 0) expect("exscan", round, out[0], rank * (rank - 1) / 2 + rank * round);
}

/* `more`: allreduces beside those of the rounds. */
static void counted(long wanted, long more) {
  static const char* const names[] = {"barrier",
                                      "bcast",
                                      "gather",
                                      "gatherv",
                                      "scatter",
                                      "scatterv",
                                      "allgatherv",
                                      "alltoall",
                                      "alltoallv",
                                      "alltoallw",
                                      "reduce",
                                      "reduce_scatter",
                                      "reduce_scatter_block",
                                      "scan",
                                      "exscan",
                                      "allgather",
                                      "allreduce"};
  const size_t twice = sizeof names / sizeof *names - 2; /* these are called twice a round */
  int (*get)(const char*, struct tutti_counters*) = NULL;
  *(void**)&get = dlsym(RTLD_DEFAULT, "tutti_get_counters");
  if (wanted < 0) return;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    struct tutti_counters counters = {0};
    if (get && get(names[i], &counters) != 0) expect("unknown to tutti_get_counters", (int)i, 1, 0);
    const long extra = strcmp(names[i], "allreduce") == 0 ? more : 0;
    expect(names[i], -1, (long)counters.calls, (i < twice ? wanted : 2 * wanted) + extra);
  }
  struct tutti_counters counters;
  if (get) expect("tutti_get_counters of no collective", -1, get("allreduse", &counters), -1);
}

/* How many allreduces tutti has seen, on stdout. */
static void report(void) {
  int (*get)(const char*, struct tutti_counters*) = NULL;
  struct tutti_counters counters;
  *(void**)&get = dlsym(RTLD_DEFAULT, "tutti_get_counters");
  if (get && get("allreduce", &counters) == 0) printf("collectives: counted %ld\n", (long)counters.calls);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long each = argc > 1 ? atol(argv[1]) : -1;
  counted(argc > 1 ? 0 : -1, 0);
  for (int round = 0; round < times; ++round) moving(round), reducing(round);
  counted(each, 0);
  int anywhere = 0;
  PMPI_Allreduce(&wrong, &anywhere, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  counted(each, each > 0); /* PMPI_X from the program is the same function */
  if (rank == 0) report();
  if (rank == 0) puts(anywhere ? "collectives: WRONG" : "collectives: right");
  MPI_Finalize();
  return anywhere != 0;
}
