// clang-format off
/* A type that is used too early, reported on every rank where the library checks, and committed afterwards: it then
   works, in the same and in other collectives, and the facts found meanwhile do no harm.
   @run 2,3
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_BCAST=node(native) TUTTI_ALLGATHER=node(native)
   @run 3 TUTTI_BCAST=binomial TUTTI_ALLGATHER=ring */
// clang-format on
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static int handled = 0;

static void handler(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handled;
}

int main(int argc, char** argv) {
  int me, size, wrong = 0, any = 0;
  MPI_Comm comm;
  MPI_Errhandler mine;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_set_errhandler(comm, mine);
  for (int i = 0; i < 8; ++i)
    MPI_Barrier(comm), MPI_Bcast(&any, 1, MPI_INT, 0, comm),
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, (int[64]){0}, 1, MPI_INT, comm);
  for (int turn = 0; turn < 4; ++turn) {
    int data[8] = {0}, all[64 * 2] = {0}, refused = 0;
    MPI_Datatype type;
    if (turn % 2)
      MPI_Type_contiguous(2, MPI_INT, &type); /* its bytes lie as they are packed */
    else
      MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    handled = 0;
    refused = MPI_Bcast(data, 1, type, 0, comm) != MPI_SUCCESS;
    if (handled > 1 || (refused && handled == 0))
      wrong = 1, printf("WRONG: rank %d: the handler ran %d times\n", me, handled);
    MPI_Type_commit(&type);
    for (int i = 0; i < 4; ++i) {
      const int last = turn % 2 ? 1 : 2;
      data[0] = me == 0 ? 10 + i : -1, data[last] = me == 0 ? 20 + i : -1;
      if (MPI_Bcast(data, 1, type, 0, comm) != MPI_SUCCESS)
        wrong = 1, printf("WRONG: refused after it was committed\n");
      if (data[0] != 10 + i || data[last] != 20 + i)
        wrong = 1, printf("WRONG: rank %d: got %d %d\n", me, data[0], data[last]);
      data[0] = me, data[last] = i;
      MPI_Allgather(data, 1, type, all, 2, MPI_INT, comm);
      for (int r = 0; r < size; ++r)
        if (all[2 * r] != r || all[2 * r + 1] != i)
          wrong = 1, printf("WRONG: rank %d: of rank %d %d %d\n", me, r, all[2 * r], all[2 * r + 1]);
    }
    MPI_Type_free(&type);
  }
  MPI_Errhandler_free(&mine);
  MPI_Comm_free(&comm);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
