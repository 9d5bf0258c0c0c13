/* Long payloads from the same buffers again and again, with other data each time and ranks that come late: they lie in
   the long ring, which comes round many times.
   @run 2,3,5 TUTTI_NODE_LONG_RING=256K
   @run 2,4 TUTTI_NODE_LONG_RING=128K TUTTI_ALLTOALL=node TUTTI_ALLGATHER=node TUTTI_BCAST=node TUTTI_GATHER=node
   TUTTI_SCATTER=node TUTTI_REDUCE=node TUTTI_ALLREDUCE=node
   @run 2,3 TUTTI_NODE_LONG_RING=1M */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "watch.h"

enum { most_ranks = 8, longest = 50000, kinds = 11, rounds = 24 };

static int rank, size;
static int *in, *out;

static int word(int from, int i, int call) { return from * 1000003 + i * 7 + call; }
static int sum_of(int last, int i, int call) {
  int sum = 0;
  for (int from = 0; from <= last; ++from) sum += word(from, i, call);
  return sum;
}

/* How many of `count` words of `row` differ from what `from` had, from its word `first` on. */
static int differ(const int* row, int count, int from, int first, int call) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += row[i] != word(from, first + i, call);
  return wrong;
}
static int differ_sum(const int* row, int count, int last, int first, int call) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += row[i] != sum_of(last, first + i, call);
  return wrong;
}

static int blocks(int count, int mine, int call) {
  int wrong = 0;
  for (int from = 0; from < size; ++from) wrong += differ(out + from * count, count, from, mine * count, call);
  return wrong;
}

static int of_rooted(int kind, int count, int root, int call) {
  const MPI_Comm w = MPI_COMM_WORLD;
  switch (kind) {
    case 0:
      MPI_Bcast(rank == root ? in : out, count, MPI_INT, root, w);
      return rank == root ? 0 : differ(out, count, root, 0, call);
    case 1:
      MPI_Gather(in, count, MPI_INT, out, count, MPI_INT, root, w);
      return rank == root ? blocks(count, 0, call) : 0;
    case 2:
      MPI_Scatter(in, count, MPI_INT, out, count, MPI_INT, root, w);
      return differ(out, count, root, rank * count, call);
    default:
      MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, root, w);
      return rank == root ? differ_sum(out, count, size - 1, 0, call) : 0;
  }
}

static int of_all(int kind, int count, int call) {
  const MPI_Comm w = MPI_COMM_WORLD;
  MPI_Request request;
  switch (kind) {
    case 4:
      MPI_Allgather(in, count, MPI_INT, out, count, MPI_INT, w);
      return blocks(count, 0, call);
    case 5:
      MPI_Alltoall(in, count, MPI_INT, out, count, MPI_INT, w);
      return blocks(count, rank, call);
    case 6:
      MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, w);
      return differ_sum(out, count, size - 1, 0, call);
    case 7:
      MPI_Reduce_scatter_block(in, out, count, MPI_INT, MPI_SUM, w);
      return differ_sum(out, count, size - 1, rank * count, call);
    case 8:
      MPI_Scan(in, out, count, MPI_INT, MPI_SUM, w);
      return differ_sum(out, count, rank, 0, call);
    case 9:
      MPI_Iallgather(in, count, MPI_INT, out, count, MPI_INT, w, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      return blocks(count, 0, call);
    default:
      MPI_Iallreduce(in, out, count, MPI_INT, MPI_SUM, w, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      return differ_sum(out, count, size - 1, 0, call);
  }
}

int main(int argc, char** argv) {
  const int counts[] = {2048, 5000, 16384, longest};
  int wrong = 0, call = 0;
  unsigned own;
  watch(100);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  in = malloc(sizeof(int) * longest * most_ranks), out = malloc(sizeof(int) * longest * most_ranks);
  own = (unsigned)rank + 1;
  for (int which = 0; which < 4; ++which)
    for (int kind = 0; kind < kinds; ++kind)
      for (int round = 0; round < rounds; ++round, ++call) {
        const int count = counts[which];
        for (int i = 0; i < count * size; ++i) in[i] = word(rank, i, call);
        if ((own = own * 1103515245u + 12345u) >> 28 == 0) usleep(own >> 16 & 511);
        wrong += kind < 4 ? of_rooted(kind, count, call % size, call) : of_all(kind, count, call);
      }
  if (wrong) printf("WRONG: %d words on rank %d\n", wrong, rank);
  free(in), free(out);
  MPI_Finalize();
  if (!wrong && rank == 0) puts("ok");
  return wrong != 0;
}
