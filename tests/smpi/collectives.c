/* Every blocking collective with results that can be computed, on the world and on half of it in reverse order.
   Prints mistakes, and at the end one line: calls, how many tutti carried out and how, and how many went wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/shared.h"

enum { told = 5, most_ranks = 64 };

static MPI_Comm comm;
static int me, ranks, mistakes;
static const int counts[] = {0, 1, 7, 1000, 20000}; /* below and above what SMPI sends without waiting (64 KiB) */

/* What rank `from` has for rank `to` at `place`. */
static int value(int from, int to, int place) { return from * 1000003 + to * 10007 + place * 13; }

static void check(const char* what, int count, int root, int got, int wanted, int place) {
  if (got == wanted) return;
  if (++mistakes <= told)
    printf("rank %d of %d: %s, count %d, root %d: place %d is %d, not %d\n", me, ranks, what, count, root, place, got,
           wanted);
}

static int* fresh(long size) {
  int* memory = malloc((size_t)(size > 0 ? size : 1) * sizeof(int));
  memset(memory, 0x5a, (size_t)(size > 0 ? size : 1) * sizeof(int));
  return memory;
}

/* One block of `count` for each of the ranks from `first` on; `to` < 0: meant for the block's own number. */
static int* blocks(int many, int count, int from, int to) {
  int* memory = fresh((long)many * count);
  for (int block = 0; block < many; ++block)
    for (int i = 0; i < count; ++i) memory[block * count + i] = value(from, to < 0 ? block : to, i);
  return memory;
}

static void bcast_and_barrier(int count, int root) {
  int* data = me == root ? blocks(1, count, root, 0) : fresh(count);
  MPI_Bcast(data, count, MPI_INT, root, comm);
  MPI_Barrier(comm);
  for (int i = 0; i < count; ++i) check("bcast", count, root, data[i], value(root, 0, i), i);
  free(data);
}

static void gather_and_scatter(int count, int root) {
  int *mine = blocks(1, count, me, 0), *all = me == root ? fresh((long)ranks * count) : NULL;
  MPI_Gather(mine, count, MPI_INT, all, count, MPI_INT, root, comm);
  for (int i = 0; me == root && i < ranks * count; ++i)
    check("gather", count, root, all[i], value(i / count, 0, i % count), i);
  free(all);
  all = me == root ? blocks(ranks, count, root, -1) : NULL;
  MPI_Scatter(all, count, MPI_INT, mine, count, MPI_INT, root, comm);
  for (int i = 0; i < count; ++i) check("scatter", count, root, mine[i], value(root, me, i), i);
  free(all);
  free(mine);
}

static void to_all(int count) {
  int *mine = blocks(1, count, me, 0), *all = fresh((long)ranks * count);
  MPI_Allgather(mine, count, MPI_INT, all, count, MPI_INT, comm);
  for (int i = 0; i < ranks * count; ++i) check("allgather", count, 0, all[i], value(i / count, 0, i % count), i);
  free(mine);
  mine = blocks(ranks, count, me, -1);
  MPI_Alltoall(mine, count, MPI_INT, all, count, MPI_INT, comm);
  for (int i = 0; i < ranks * count; ++i) check("alltoall", count, 0, all[i], value(i / count, me, i % count), i);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, mine, count, MPI_INT, comm);
  for (int i = 0; i < ranks * count; ++i) check("alltoall in place", count, 0, mine[i], all[i], i);
  free(mine);
  free(all);
}

/* Blocks of unequal size: rank r has `count` + r % 3 elements in a room of `count` + 2. */
static void irregular(int count, int root) {
  const int room = count + 2, own = count + me % 3;
  int sizes[most_ranks], places[most_ranks];
  for (int i = 0; i < ranks; ++i) sizes[i] = count + i % 3, places[i] = i * room;
  int *mine = blocks(1, own, me, 0), *all = fresh((long)ranks * room);
  MPI_Gatherv(mine, own, MPI_INT, all, sizes, places, MPI_INT, root, comm);
  for (int r = 0; me == root && r < ranks; ++r)
    for (int i = 0; i < sizes[r]; ++i) check("gatherv", count, root, all[places[r] + i], value(r, 0, i), i);
  MPI_Allgatherv(mine, own, MPI_INT, all, sizes, places, MPI_INT, comm);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < sizes[r]; ++i) check("allgatherv", count, 0, all[places[r] + i], value(r, 0, i), i);
  MPI_Scatterv(all, sizes, places, MPI_INT, mine, own, MPI_INT, root, comm);
  for (int i = 0; i < own; ++i) check("scatterv", count, root, mine[i], value(me, 0, i), i);
  free(mine);
  free(all);
}

/* Rank r sends `count` + (r + s) % 3 elements to rank s, which is as many as it gets from there. */
static void each_to_each(int count) {
  const int room = count + 2;
  int sizes[most_ranks], places[most_ranks], bytes[most_ranks];
  MPI_Datatype types[most_ranks];
  for (int i = 0; i < ranks; ++i) {
    sizes[i] = count + (me + i) % 3, places[i] = i * room, bytes[i] = places[i] * (int)sizeof(int);
    types[i] = MPI_INT;
  }
  int *out = blocks(ranks, room, me, -1), *in = fresh((long)ranks * room);
  MPI_Alltoallv(out, sizes, places, MPI_INT, in, sizes, places, MPI_INT, comm);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < sizes[r]; ++i) check("alltoallv", count, 0, in[places[r] + i], value(r, me, i), i);
  memset(in, 0, (size_t)(ranks * room) * sizeof(int));
  MPI_Alltoallw(out, sizes, bytes, types, in, sizes, bytes, types, comm);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < sizes[r]; ++i) check("alltoallw", count, 0, in[places[r] + i], value(r, me, i), i);
  free(out);
  free(in);
}

static int sum(int below, int to, int place) {
  int all = 0;
  for (int r = 0; r < below; ++r) all += value(r, to, place);
  return all;
}

static void reductions(int count, int root) {
  int *mine = blocks(1, count, me, 0), *all = fresh(count);
  MPI_Reduce(mine, all, count, MPI_INT, MPI_SUM, root, comm);
  for (int i = 0; me == root && i < count; ++i) check("reduce", count, root, all[i], sum(ranks, 0, i), i);
  MPI_Allreduce(mine, all, count, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) check("allreduce", count, 0, all[i], sum(ranks, 0, i), i);
  MPI_Scan(mine, all, count, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) check("scan", count, 0, all[i], sum(me + 1, 0, i), i);
  MPI_Exscan(mine, all, count, MPI_INT, MPI_SUM, comm);
  for (int i = 0; me > 0 && i < count; ++i) check("exscan", count, 0, all[i], sum(me, 0, i), i);
  MPI_Allreduce(MPI_IN_PLACE, mine, count, MPI_INT, MPI_MAX, comm);
  for (int i = 0; i < count; ++i) check("allreduce in place", count, 0, mine[i], value(ranks - 1, 0, i), i);
  free(mine);
  free(all);
}

static void partial_reductions(int count) {
  int sizes[most_ranks], before = 0, total = 0;
  for (int i = 0; i < ranks; ++i) {
    sizes[i] = count + i % 3;
    if (i < me) before += sizes[i];
    total += sizes[i];
  }
  int *mine = blocks(1, total, me, 0), *part = fresh(count + 2);
  MPI_Reduce_scatter(mine, part, sizes, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < sizes[me]; ++i) check("reduce_scatter", count, 0, part[i], sum(ranks, 0, before + i), i);
  free(mine);
  mine = blocks(ranks, count, me, -1);
  MPI_Reduce_scatter_block(mine, part, count, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) check("reduce_scatter_block", count, 0, part[i], sum(ranks, me, i), i);
  free(mine);
  free(part);
}

/* x -> a x + b, by `in` first and then by `inout`: associative, not commutative. */
static void compose(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  const unsigned* first = in;
  unsigned* then = inout;
  for (int i = 0; i < *length; ++i, first += 2, then += 2) {
    then[1] += then[0] * first[1];
    then[0] *= first[0];
  }
}

static void composition(unsigned* pair, int below, int place) {
  pair[0] = 1, pair[1] = 0;
  for (int r = 0; r < below; ++r) {
    const unsigned a = 2 * (unsigned)r + 3, b = (unsigned)(r + place);
    pair[0] *= a, pair[1] = pair[1] * a + b;
  }
}

static void in_order(int count, int root) {
  MPI_Datatype pair;
  MPI_Op op;
  MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(compose, 0, &op);
  unsigned *mine = (unsigned*)fresh(2L * count), *all = (unsigned*)fresh(2L * count), wanted[2];
  for (int i = 0; i < count; ++i) mine[2 * i] = 2 * (unsigned)me + 3, mine[2 * i + 1] = (unsigned)(me + i);
  MPI_Reduce(mine, all, count, pair, op, root, comm);
  for (int i = 0; me == root && i < count; ++i) {
    composition(wanted, ranks, i);
    check("reduce in order", count, root, (int)all[2 * i + 1], (int)wanted[1], i);
  }
  MPI_Allreduce(mine, all, count, pair, op, comm);
  for (int i = 0; i < count; ++i) {
    composition(wanted, ranks, i);
    check("allreduce in order", count, 0, (int)all[2 * i + 1], (int)wanted[1], i);
  }
  MPI_Scan(mine, all, count, pair, op, comm);
  /* SMPI 3.32's own MPI_Scan leaves the other ranks out where the operator is not commutative. */
  const int ours = !strstr(tutti_last_choice(), "native"); /* nor between nodes */
  for (int i = 0; ours && i < count; ++i) {
    composition(wanted, me + 1, i);
    check("scan in order", count, 0, (int)all[2 * i + 1], (int)wanted[1], i);
  }
  free(mine);
  free(all);
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
}

/* Every other element of a buffer. */
static void gaps(int count, int root) {
  MPI_Datatype type;
  MPI_Type_vector(count, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  int* data = fresh(2L * count);
  for (int i = 0; i < count; ++i) data[2 * i] = me == root ? value(root, 0, i) : -1, data[2 * i + 1] = me;
  MPI_Bcast(data, 1, type, root, comm);
  for (int i = 0; i < count; ++i) {
    check("bcast of a vector", count, root, data[2 * i], value(root, 0, i), i);
    check("bcast beside a vector", count, root, data[2 * i + 1], me, i);
  }
  free(data);
  MPI_Type_free(&type);
}

/* Results that a node's ranks would share are each rank's own. */
static void shared_results(int count, int root) {
  int *table = me == root ? blocks(1, count, root, 0) : NULL, *got = NULL;
  const char* reason = "";
  tutti_bcast_shared(table, count, MPI_INT, root, comm, TUTTI_READ_ONLY, &got);
  check("kind of a shared result", count, root, tutti_result_kind(got, &reason), TUTTI_RESULT_PRIVATE, 0);
  if (ranks > 1) check("its reason", count, root, strcmp(reason, "simulated ranks share no memory"), 0, 0);
  for (int i = 0; i < count; ++i) check("bcast_shared", count, root, got[i], value(root, 0, i), i);
  check("tutti_free", count, root, tutti_free(got), MPI_SUCCESS, 0);
  free(table);
}

static void everything(MPI_Comm on) {
  comm = on;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  for (unsigned i = 0; i < sizeof counts / sizeof *counts; ++i) {
    const int count = counts[i], roots[] = {0, ranks / 2, ranks - 1};
    for (int j = 0; j < (ranks > 2 ? 3 : ranks); ++j) {
      bcast_and_barrier(count, roots[j]);
      if (ranks * count > 300000) continue; /* the memory of many ranks */
      gather_and_scatter(count, roots[j]);
      irregular(count, roots[j]);
      reductions(count, roots[j]);
      in_order(count % 1001, roots[j]);
      gaps(count, roots[j]);
    }
    if (ranks * count > 300000) continue;
    to_all(count);
    each_to_each(count);
    partial_reductions(count);
  }
  shared_results(1000, ranks / 2);
}

int main(int argc, char** argv) {
  int world, size, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > most_ranks) return 2;
  everything(MPI_COMM_WORLD);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, world % 2, -world, &half);
  everything(half);
  MPI_Comm_free(&half);
  struct tutti_counters counters;
  tutti_get_counters("", &counters);
  PMPI_Allreduce(&mistakes, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (world == 0)
    printf("%llu calls, %llu by messages, %llu in nodes and between, %llu in a node, %d mistakes\n",
           (unsigned long long)counters.calls, (unsigned long long)counters.flat,
           (unsigned long long)counters.hierarchy, (unsigned long long)counters.node, all);
  MPI_Finalize();
  return all ? 1 : 0;
}
