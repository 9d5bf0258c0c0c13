// clang-format off
/* Elements without bytes and reductions of no elements, by every reduction, with operators of the user's that commute
   and that do not.
   @run 2,3
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_ALLREDUCE=node(recursive_doubling) TUTTI_REDUCE=node(binomial) TUTTI_REDUCE_SCATTER=node(pairwise) TUTTI_SCAN=node(native) TUTTI_EXSCAN=node(recursive_doubling)
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_ALLREDUCE=node(native,senders=2) TUTTI_REDUCE=node(native,senders=2) TUTTI_REDUCE_SCATTER=node(native,senders=2) TUTTI_SCAN=node(native,senders=2) TUTTI_EXSCAN=node(native,senders=2)
   @run 3 TUTTI_ALLREDUCE=recursive_doubling TUTTI_REDUCE=binomial TUTTI_REDUCE_SCATTER=pairwise TUTTI_SCAN=recursive_doubling TUTTI_EXSCAN=recursive_doubling */
// clang-format on
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  for (int i = 0; i < *count * bytes / (int)sizeof(int); ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  int me, size, in[64] = {0}, out[64], counts[64], wrong = 0, any = 0;
  MPI_Datatype nothing;
  MPI_Op ops[2];
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_Op_create(add, 1, &ops[0]), MPI_Op_create(add, 0, &ops[1]);
  for (int i = 0; i < 64; ++i) counts[i] = i % 2, out[i] = 7;
  for (int turn = 0; turn < 10; ++turn) {
    const MPI_Op op = ops[turn % 2];
    for (int none = 0; none < 2; ++none) {
      const int count = none ? 0 : 4;
      const MPI_Datatype type = none ? MPI_INT : nothing;
      MPI_Allreduce(in, out, count, type, op, MPI_COMM_WORLD);
      MPI_Reduce(in, out, count, type, op, turn % size, MPI_COMM_WORLD);
      MPI_Reduce_scatter_block(in, out, count, type, op, MPI_COMM_WORLD);
      MPI_Scan(in, out, count, type, op, MPI_COMM_WORLD);
      MPI_Exscan(in, out, count, type, op, MPI_COMM_WORLD);
    }
    MPI_Reduce_scatter(in, out, counts, nothing, op, MPI_COMM_WORLD);
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 64; ++i) wrong |= out[i] != 7;
    int one[2] = {me, 1}, sum[2] = {0};
    MPI_Scan(one, sum, 2, MPI_INT, op, MPI_COMM_WORLD);
    wrong |= sum[0] != me * (me + 1) / 2 || sum[1] != me + 1;
  }
  if (wrong) printf("WRONG: rank %d: other data\n", me);
  MPI_Op_free(&ops[0]), MPI_Op_free(&ops[1]);
  MPI_Type_free(&nothing);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
