/* Every rooted collective with long vectors and one rank asleep, each rank in turn and every root, several calls in
   flight. The root of a bcast frees its communicator before the others have read. Then those who need nothing make long
   calls before the others begin: with room for deposits they must leave, because the others wait for a message that
   follows.
   @run 2,3,5
   @run 2,3,5 TUTTI_NODE_DEPOSITS=off
   @run 2,3,5 TUTTI_NODE_DEPOSITS=8M leave node node(variant=slots)
   @run 2,3,5 TUTTI_NODE_DEPOSITS=8M leave node(variant=one_copy) node(variant=slots)
   @run 3,5 TUTTI_NODE_DEPOSITS=8M leave node node(variant=striped)
   @run 2 TUTTI_NODE_DEPOSITS=8M leave node(copy=clock) node(copy=clock) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "watch.h"

enum { most_ranks = 8, most = 40000 };
enum kind { bcast, scatter, scatterv, reduce, gather, gatherv, kinds };

static const char* const settings[kinds] = {"TUTTI_BCAST",  "TUTTI_SCATTER", "TUTTI_SCATTERV",
                                            "TUTTI_REDUCE", "TUTTI_GATHER",  "TUTTI_GATHERV"};

static int me, size, wrong = 0;
static double mine[most_ranks * most], all[most_ranks * most];
static int counts[most_ranks], places[most_ranks];

static double value(int rank, int call, int i) { return rank * 1e6 + call * 1e3 + i % 997; }

static void expect(double found, double right, enum kind kind, int call, int i) {
  if (found == right || wrong++ > 3) return;
  printf("WRONG: kind %d, call %d, rank %d, element %d: %g, not %g\n", (int)kind, call, me, i, found, right);
}

static void fill(double* to, int rank, int call, int count) {
  for (int i = 0; i < count; ++i) to[i] = value(rank, call, i);
}

static void check(const double* row, int rank, int call, int count, enum kind kind) {
  for (int i = 0; i < count; ++i) expect(row[i], value(rank, call, i), kind, call, i);
}

/* Rank r's part of the v-forms is a third, two thirds or all of `count`. */
static void divide(enum kind kind, int count) {
  const int uneven = kind == scatterv || kind == gatherv;
  for (int r = 0; r < size; ++r) counts[r] = uneven ? count * (r % 3 + 1) / 3 : count, places[r] = r * count;
}

static void from_root(enum kind kind, int root, int call, int count) {
  for (int r = 0; r < size && me == root; ++r) fill(all + places[r], r, call, counts[r]);
  if (kind == scatter)
    MPI_Scatter(all, count, MPI_DOUBLE, mine, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
  else
    MPI_Scatterv(all, counts, places, MPI_DOUBLE, mine, counts[me], MPI_DOUBLE, root, MPI_COMM_WORLD);
  check(mine, me, call, counts[me], kind);
}

static void to_root(enum kind kind, int root, int call, int count) {
  fill(mine, me, call, counts[me]);
  if (kind == gather)
    MPI_Gather(mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
  else
    MPI_Gatherv(mine, counts[me], MPI_DOUBLE, all, counts, places, MPI_DOUBLE, root, MPI_COMM_WORLD);
  for (int r = 0; r < size && me == root; ++r) check(all + places[r], r, call, counts[r], kind);
  memset(mine, 0, sizeof(double) * (size_t)count); /* what has been sent may be overwritten */
}

static void one_call(enum kind kind, int root, int call, int count) {
  divide(kind, count);
  if (kind == scatter || kind == scatterv) return from_root(kind, root, call, count);
  if (kind == gather || kind == gatherv) return to_root(kind, root, call, count);
  if (kind == bcast) {
    if (me == root) fill(mine, root, call, count);
    MPI_Bcast(mine, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
    if (me != root) check(mine, root, call, count, kind);
    memset(mine, 0, sizeof(double) * (size_t)count);
    return;
  }
  fill(mine, me, call, count);
  MPI_Reduce(mine, all, count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
  memset(mine, 0, sizeof(double) * (size_t)count);
  for (int i = 0; i < count && me == root; ++i) {
    double sum = 0;
    for (int r = 0; r < size; ++r) sum += value(r, call, i);
    expect(all[i], sum, kind, call, i);
  }
}

/* Every kind and root, without a barrier in between, while `late` sleeps first. */
static void with_late(int late, int count) {
  if (me == late) usleep(20000);
  for (int kind = 0; kind < kinds; ++kind)
    for (int root = 0; root < size; ++root) one_call((enum kind)kind, root, kind * size + root, count);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* What the root has left for the others outlives its part of the communicator. */
static void free_unread(int root) {
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  for (int i = 0; i < 10; ++i) MPI_Barrier(own);
  if (me != root) usleep(20000);
  if (me == root) fill(mine, root, 0, most);
  MPI_Bcast(mine, most, MPI_DOUBLE, root, own);
  MPI_Comm_free(&own);
  check(mine, root, 0, most, bcast);
  memset(mine, 0, sizeof mine);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Three calls by those who need nothing, and then messages, which the others receive first. */
static void leave_early(enum kind kind, int root) {
  const int root_leads = kind == bcast || kind == scatter || kind == scatterv, leads = (me == root) == root_leads;
  int word = 0;
  for (int from = 0; !leads && from < size; ++from)
    if ((from == root) == root_leads) MPI_Recv(&word, 1, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int call = 0; call < 3; ++call) one_call(kind, root, call, most);
  for (int to = 0; leads && to < size; ++to)
    if ((to == root) != root_leads) MPI_Send(&word, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  const int lengths[] = {700, 5000, most};
  const int leaves = argc == 4 && strcmp(argv[1], "leave") == 0;
  const char* const preload = getenv("LD_PRELOAD");
  int any = 0;
  if (leaves)
    for (int i = 0; i < kinds; ++i) setenv(settings[i], argv[i == reduce ? 3 : 2], 1);
  MPI_Init(&argc, &argv);
  watch(60);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (int late = 0; late < size; ++late)
    for (int length = 0; length < 3; ++length) with_late(late, lengths[length]);
  for (int root = 0; root < size; ++root) free_unread(root);
  /* No MPI alone promises that. */
  for (int kind = 0; leaves && preload && strstr(preload, "tutti") && kind < kinds; ++kind)
    leave_early((enum kind)kind, size - 1);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any != 0;
}
