// clang-format off
/* A reduction of elements without bytes (a datatype of size zero, the user's own operator) on one node and over
   several.
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_ALLREDUCE=node(native) TUTTI_REDUCE=node(native) TUTTI_REDUCE_SCATTER_BLOCK=node(native)
   @run 3 */
// clang-format on
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static void combine(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
}

int main(int argc, char** argv) {
  int me, size, in[8] = {0}, out[8] = {7, 7, 7, 7, 7, 7, 7, 7}, wrong = 0, any = 0;
  MPI_Datatype nothing;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_Op_create(combine, 1, &op);
  for (int i = 0; i < 8; ++i) MPI_Allreduce(in, out, 5, nothing, op, MPI_COMM_WORLD);
  for (int i = 0; i < 8; ++i) MPI_Reduce(in, out, 5, nothing, op, i % size, MPI_COMM_WORLD);
  for (int i = 0; i < 8; ++i) MPI_Reduce_scatter_block(in, out, 2, nothing, op, MPI_COMM_WORLD);
  for (int i = 0; i < 8; ++i) wrong |= out[i] != 7;
  if (wrong) printf("WRONG: rank %d: bytes were written where there are none\n", me);
  MPI_Op_free(&op);
  MPI_Type_free(&nothing);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
