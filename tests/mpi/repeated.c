/* Calls that repeat one another but for one argument: each result is compared with the MPI library's own.
   Arguments come from so few values that most calls are like an earlier one, and the others nearly. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own.h"

enum { most_ranks = 16, most_count = 48, longest = most_ranks * most_count + 64, kinds = 16 };

static unsigned state = 1;
static int pick(int below) { return (int)((state = state * 1103515245u + 12345u) >> 16) % below; }

/* What is given to a call, the same on all ranks but for the data. */
struct given {
  int kind, count, root, in_place, layout;
  MPI_Datatype type;
  MPI_Op op;
};

static int rank, size;
static int counts[most_ranks], places[most_ranks], byte_places[most_ranks];
static MPI_Datatype types[most_ranks];

/* Elements that `from` sends `to`; symmetric, so that one set of arrays serves both sides. */
static int between(const struct given* g, int from, int to) {
  return g->layout ? (from + to) % 3 * g->count : g->count;
}

static void lay_out(const struct given* g, int pairs) {
  int width, at = 0;
  MPI_Type_size(g->type, &width);
  for (int i = 0; i < size; ++i) {
    counts[i] = pairs ? between(g, rank, i) : g->layout ? (i % 3 + 1) * g->count / 2 : g->count;
    places[i] = at, byte_places[i] = at * width, types[i] = g->type;
    at += counts[i] + (g->layout == 2);
  }
}

static int call(const struct given* g, const void* send, void* receive, int own) {
  const void* in = g->in_place && rank == g->root ? MPI_IN_PLACE : send;
  const void* everywhere = g->in_place ? MPI_IN_PLACE : send;
  const int n = g->count, root = g->root;
  const MPI_Datatype t = g->type;
  const MPI_Comm w = MPI_COMM_WORLD;
#define CALL(name, ...) (own ? OWN(PMPI_##name)(__VA_ARGS__) : MPI_##name(__VA_ARGS__))
  switch (g->kind) {
    case 0:
      return CALL(Barrier, w);
    case 1:
      return CALL(Bcast, receive, n, t, root, w);
    case 2:
      return CALL(Gather, in, n, t, receive, n, t, root, w);
    case 3:
      lay_out(g, 0);
      return CALL(Gatherv, in, counts[rank], t, receive, counts, places, t, root, w);
    case 4:
      return CALL(Scatter, send, n, t, g->in_place && rank == root ? MPI_IN_PLACE : receive, n, t, root, w);
    case 5:
      lay_out(g, 0);
      return CALL(Scatterv, send, counts, places, t, g->in_place && rank == root ? MPI_IN_PLACE : receive, counts[rank],
                  t, root, w);
    case 6:
      return CALL(Allgather, everywhere, n, t, receive, n, t, w);
    case 7:
      lay_out(g, 0);
      return CALL(Allgatherv, everywhere, counts[rank], t, receive, counts, places, t, w);
    case 8:
      return CALL(Alltoall, everywhere, n, t, receive, n, t, w);
    case 9:
      lay_out(g, 1);
      return CALL(Alltoallv, everywhere, counts, places, t, receive, counts, places, t, w);
    case 10:
      lay_out(g, 1);
      return CALL(Alltoallw, everywhere, counts, byte_places, types, receive, counts, byte_places, types, w);
    case 11:
      return CALL(Reduce, in, receive, n, t, g->op, root, w);
    case 12:
      return CALL(Allreduce, everywhere, receive, n, t, g->op, w);
    case 13:
      return CALL(Reduce_scatter_block, everywhere, receive, n, t, g->op, w);
    case 14:
      lay_out(g, 0);
      return CALL(Reduce_scatter, everywhere, receive, counts, t, g->op, w);
    default:
      return g->layout ? CALL(Scan, everywhere, receive, n, t, g->op, w)
                       : CALL(Exscan, everywhere, receive, n, t, g->op, w);
  }
#undef CALL
}

static void fill(double* data, int round, const struct given* g) {
  for (int i = 0; i < longest; ++i) {
    const int value = (round * 31 + rank * 7 + i) % 97;
    if (g->type == MPI_DOUBLE)
      data[i] = value;
    else
      ((int*)data)[2 * i] = ((int*)data)[2 * i + 1] = value + i;
  }
}

/* A wrong argument is the MPI library's to refuse, after as many good calls as you like. */
static int refused(void) {
  int data[2] = {0, 0}, wrong = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < 8; ++i) MPI_Bcast(data, 2, MPI_INT, 0, MPI_COMM_WORLD);
  wrong += MPI_Bcast(data, 2, MPI_INT, size, MPI_COMM_WORLD) == MPI_SUCCESS;
  wrong += MPI_Bcast(data, -2, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
  return wrong;
}

int main(int argc, char** argv) {
  static double send[longest], ours[longest], theirs[longest];
  const int rounds = argc > 1 ? atoi(argv[1]) : 4000;
  long wrong = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < rounds; ++round) {
    struct given g = {pick(kinds), pick(2) ? 2 : most_count / 2 - 8, pick(2) ? 0 : size - 1,     pick(4) == 0,
                      pick(3),     pick(2) ? MPI_INT : MPI_DOUBLE,   pick(2) ? MPI_SUM : MPI_MAX};
    fill(send, round, &g), fill(ours, round + 5, &g), fill(theirs, round + 5, &g);
    const int code = call(&g, send, ours, 0), native = call(&g, send, theirs, 1);
    if (code != native || memcmp(ours, theirs, sizeof ours) != 0) {
      if (wrong++ == 0)
        printf("rank %d round %d: kind %d count %d root %d in place %d layout %d differs\n", rank, round, g.kind,
               g.count, g.root, g.in_place, g.layout);
    }
  }
  wrong += refused();
  MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("repeated: %ld wrong of %d\n", all, rounds);
  MPI_Finalize();
  return all != 0;
}
