/* Many communicators of several sizes that are kept, so that what tutti may take of shared memory comes to its end, in
   each of which a root scatters a few times before the others, who wait for its message, have begun. Whatever memory is
   left, the root waits for nobody: natively these are eager messages.
   @run 3,8
   @run 5 TUTTI_NODE_MEMORY=3M */
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

enum { communicators = 24, calls = 25, words = 2, most = 16 };

static int wrong = 0;

static void scatters(MPI_Comm comm, int root) {
  int me, size, all[most * words], counts[most], places[most];
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < size; ++i) counts[i] = words, places[i] = words * i;
  for (int i = 0; i < size * words; ++i) all[i] = i;
  int word = 0;
  if (me != root) MPI_Recv(&word, 1, MPI_INT, root, 5, comm, MPI_STATUS_IGNORE);
  for (int call = 0; call < calls; ++call) {
    int got[words] = {-1, -1};
    MPI_Scatterv(all, counts, places, MPI_INT, got, words, MPI_INT, root, comm);
    for (int i = 0; i < words; ++i)
      if (got[i] != words * me + i && wrong++ < 3) printf("WRONG: call %d, rank %d: %d\n", call, me, got[i]);
  }
  for (int to = 0; me == root && to < size; ++to)
    if (to != me) MPI_Send(&word, 1, MPI_INT, to, 5, comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  watch(60);
  int me, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm kept[communicators];
  for (int i = 0; i < communicators; ++i) {
    const int members = size - i * 5 % (size - 1);
    MPI_Comm_split(MPI_COMM_WORLD, me < members ? 0 : MPI_UNDEFINED, me, &kept[i]);
    if (me >= members) continue;
    for (int call = 0; call < 6; ++call) MPI_Barrier(kept[i]);
    scatters(kept[i], i % members);
  }
  for (int i = 0; i < communicators; ++i) {
    if (kept[i] == MPI_COMM_NULL) continue;
    scatters(kept[i], 0);
    MPI_Comm_free(&kept[i]);
  }
  if (wrong == 0 && me == 0) printf("ok\n");
  MPI_Finalize();
  return wrong != 0;
}
