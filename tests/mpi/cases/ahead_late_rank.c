/* One rank is late in calls of several kinds and roots: all others make 250 bcasts and scatters from rank 0 and as many
   reduces and gathers to the late rank, which waits for a message that rank 0 sends after them.  Then the next rank is
   late.
   @run 2,3,5
   @run[openmpi,debian-mpich] 4 TUTTI_PRETEND_NODES=block:2 */
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

enum { rounds = 250, most = 16 };

static int me, size, wrong = 0;

static void expect(double found, double right, const char* what, int round) {
  if (found == right || wrong++ > 3) return;
  printf("WRONG: %s %d on rank %d: %g, not %g\n", what, round, me, found, right);
}

static void one_round(int root, int slow, int round) {
  double word = me == root ? round : -1, mine = round + me, all[most], sum = -1;
  MPI_Bcast(&word, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
  expect(word, round, "bcast", round);
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, slow, MPI_COMM_WORLD);
  if (me == slow) expect(sum, (double)size * round + size * (size - 1) / 2, "reduce", round);
  for (int i = 0; i < size; ++i) all[i] = me == root ? round * i : -1;
  MPI_Scatter(all, 1, MPI_DOUBLE, &word, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
  expect(word, round * me, "scatter", round);
  MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, slow, MPI_COMM_WORLD);
  for (int i = 0; me == slow && i < size; ++i) expect(all[i], round + i, "gather", round);
}

int main(int argc, char** argv) {
  int any = 0, token = 0;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (int slow = 1; slow < size; slow += 2) { /* as no rank waits for these in a tree from rank 0 */
    if (me == slow) MPI_Recv(&token, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int round = 0; round < rounds; ++round) one_round(0, slow, round);
    if (me == 0) MPI_Send(&token, 1, MPI_INT, slow, 4, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any != 0;
}
