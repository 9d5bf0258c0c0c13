// clang-format off
/* Elements without bytes, and no elements at null pointers, in every collective that moves data: nothing is written,
   nothing hangs, and the calls between them carry theirs.
   @run 2,3
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_BCAST=node(native) TUTTI_SCATTER=node(native) TUTTI_GATHER=node(native) TUTTI_ALLGATHER=node(native) TUTTI_ALLGATHERV=node(native) TUTTI_ALLTOALL=node(native) TUTTI_ALLTOALLW=node(native)
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_BCAST=node(binomial) TUTTI_SCATTER=node(binomial) TUTTI_GATHER=node(binomial) TUTTI_ALLGATHER=node(ring) TUTTI_ALLGATHERV=node(ring) TUTTI_ALLTOALL=node(linear) TUTTI_ALLTOALLW=node(linear)
   @run 3 TUTTI_BCAST=binomial TUTTI_SCATTER=binomial TUTTI_GATHER=binomial TUTTI_ALLGATHER=ring TUTTI_ALLGATHERV=ring TUTTI_ALLTOALL=linear TUTTI_ALLTOALLW=linear */
// clang-format on
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

enum { most = 64 };

int main(int argc, char** argv) {
  int me, size, wrong = 0, any = 0, counts[most], none[most], displacements[most], in[most], out[most];
  MPI_Datatype nothing, types[most];
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  for (int i = 0; i < size; ++i) counts[i] = 3, none[i] = 0, displacements[i] = i, types[i] = nothing;
  for (int turn = 0; turn < 8; ++turn) {
    const int root = turn % size;
    const MPI_Comm all = MPI_COMM_WORLD;
    for (int i = 0; i < most; ++i) in[i] = i, out[i] = 7;
    MPI_Bcast(out, 3, nothing, root, all);
    MPI_Scatter(in, 3, nothing, out, 3, nothing, root, all);
    MPI_Gather(in, 3, nothing, out, 3, nothing, root, all);
    MPI_Allgather(in, 3, nothing, out, 3, nothing, all);
    MPI_Allgatherv(in, 3, nothing, out, counts, displacements, nothing, all);
    MPI_Alltoall(in, 3, nothing, out, 3, nothing, all);
    MPI_Alltoallw(in, counts, displacements, types, out, counts, displacements, types, all);
    MPI_Bcast(NULL, 0, MPI_INT, root, all);
    MPI_Scatter(NULL, 0, MPI_INT, NULL, 0, MPI_INT, root, all);
    MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, root, all);
    MPI_Allgatherv(NULL, 0, MPI_INT, NULL, none, none, MPI_INT, all);
    for (int i = 0; i < most; ++i) wrong |= out[i] != 7;
    for (int i = 0; i < size; ++i) in[i] = 100 * me + i + turn;
    MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, all);
    for (int i = 0; i < size; ++i) wrong |= out[i] != 100 * i + me + turn;
  }
  if (wrong) printf("WRONG: rank %d: other data\n", me);
  MPI_Type_free(&nothing);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
