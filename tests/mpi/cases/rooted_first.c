/* The first collectives of fresh communicators are rooted ones, crossed with messages: a scatter or bcast and then a
   send at the root, a receive and then the scatter or bcast elsewhere; a gather or reduce and then a send elsewhere.
   Short ones wait for nobody in any MPI, so nothing of ours may.
   @run[openmpi] 2,3 */
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

enum { most = 64 };
static int me, size, wrong = 0;

static void from_root(MPI_Comm comm, int root, int turn) {
  int all[most], word = -1;
  for (int i = 0; i < size; ++i) all[i] = 10 * turn + i;
  if (me != root) MPI_Recv(&word, 1, MPI_INT, root, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Scatter(all, 1, MPI_INT, &word, 1, MPI_INT, root, comm);
  if (word != 10 * turn + me) wrong = 1, printf("WRONG: scatter gave %d\n", word);
  word = me == root ? turn : -1;
  MPI_Bcast(&word, 1, MPI_INT, root, comm);
  if (word != turn) wrong = 1, printf("WRONG: bcast gave %d\n", word);
  for (int to = 0; me == root && to < size; ++to)
    if (to != root) MPI_Send(&word, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
}

static void to_root(MPI_Comm comm, int root, int turn) {
  int all[most], mine = 100 * turn + me, sum = -1;
  for (int from = 0; me == root && from < size; ++from)
    if (from != root) MPI_Recv(&sum, 1, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, comm);
  for (int i = 0; me == root && i < size; ++i)
    if (all[i] != 100 * turn + i) wrong = 1, printf("WRONG: gather gave %d\n", all[i]);
  MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, comm);
  if (me == root && sum != 100 * turn * size + size * (size - 1) / 2) wrong = 1, printf("WRONG: reduce gave %d\n", sum);
  if (me != root) MPI_Send(&mine, 1, MPI_INT, root, 2, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int any = 0;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int before = 0; before < 5; ++before) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, me, &comm);
    for (int i = 0; i < before; ++i) MPI_Barrier(comm);
    for (int turn = 0; turn < 5; ++turn) from_root(comm, turn % size, turn), to_root(comm, (turn + 1) % size, turn);
    MPI_Comm_free(&comm);
  }
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
