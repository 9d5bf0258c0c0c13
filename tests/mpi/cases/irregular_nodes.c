// clang-format off
/* Collectives of blocks of any size over several nodes, where each rank has its blocks at places of its own: the node's
   ranks agree on their calls by the sizes alone, and between nodes the library's own collectives carry them.
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_GATHERV=node(native) TUTTI_SCATTERV=node(native) TUTTI_ALLGATHERV=node(native) TUTTI_ALLTOALLV=node(native)
   @run 4 TUTTI_PRETEND_NODES=cyclic:2 TUTTI_GATHERV=node(native,senders=2) TUTTI_SCATTERV=node(native,senders=2) TUTTI_ALLGATHERV=node(native,senders=2) TUTTI_ALLTOALLV=node(native,senders=2)
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_ALLGATHERV=node(ring,senders=2) */
// clang-format on
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "watch.h"

enum { most = 8, longest = 40000 };
static int me, size, wrong = 0;
static char in[most * longest], ours[2 * most * longest], theirs[2 * most * longest];

static void compare(const char* what, int turn) {
  if (memcmp(ours, theirs, sizeof ours) != 0) wrong = 1, printf("WRONG: rank %d: %s in turn %d\n", me, what, turn);
  memset(ours, 7, sizeof ours), memset(theirs, 7, sizeof theirs);
}

/* On even ranks the blocks stand in the order of ranks without gaps, on odd ones backwards or with gaps. */
static void place(const int* counts, int* places, int turn) {
  int next = 0;
  for (int i = 0; i < size; ++i) {
    const int rank = me % 2 && turn % 3 == 0 ? size - 1 - i : i;
    places[rank] = next;
    next += counts[rank] + (me % 2 && turn % 3 == 1 ? 5 : 0);
  }
}

int main(int argc, char** argv) {
  int any = 0, counts[most], places[most], out[most], from[most], back[most], to[most];
  const MPI_Comm all = MPI_COMM_WORLD;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(all, &me), MPI_Comm_size(all, &size);
  memset(ours, 7, sizeof ours), memset(theirs, 7, sizeof theirs);
  for (int turn = 0; turn < 12; ++turn) {
    const int root = turn % size, scale = turn % 2 ? longest / (2 * size) : 3;
    for (int i = 0; i < (int)sizeof in; ++i) in[i] = (char)(31 * i + 7 * me + turn);
    for (int r = 0; r < size; ++r) {
      counts[r] = scale * ((r + turn) % size);
      out[r] = scale * ((me + 2 * r + turn) % size), back[r] = scale * ((r + 2 * me + turn) % size);
    }
    place(counts, places, turn), place(out, from, turn), place(back, to, turn);
    MPI_Allgatherv(in, counts[me], MPI_CHAR, ours, counts, places, MPI_CHAR, all);
    PMPI_Allgatherv(in, counts[me], MPI_CHAR, theirs, counts, places, MPI_CHAR, all);
    compare("allgatherv", turn);
    MPI_Gatherv(in, counts[me], MPI_CHAR, ours, counts, places, MPI_CHAR, root, all);
    PMPI_Gatherv(in, counts[me], MPI_CHAR, theirs, counts, places, MPI_CHAR, root, all);
    compare("gatherv", turn);
    MPI_Scatterv(in, counts, places, MPI_CHAR, ours, counts[me], MPI_CHAR, root, all);
    PMPI_Scatterv(in, counts, places, MPI_CHAR, theirs, counts[me], MPI_CHAR, root, all);
    compare("scatterv", turn);
    MPI_Alltoallv(in, out, from, MPI_CHAR, ours, back, to, MPI_CHAR, all);
    PMPI_Alltoallv(in, out, from, MPI_CHAR, theirs, back, to, MPI_CHAR, all);
    compare("alltoallv", turn);
  }
  PMPI_Reduce(&wrong, &any, 1, MPI_INT, MPI_SUM, 0, all);
  if (me == 0 && any == 0) printf("ok\n");
  MPI_Finalize();
  return wrong;
}
