/* What the library refuses stays refused, once: an operator that is not defined on a type, and a type that the user has
   made with an operator of the MPI's.  Every rank makes the error, the user's handler runs once on the communicator and
   never on MPI_COMM_SELF or MPI_COMM_WORLD, and calls that are right go on.  Whether an operator is refused is asked of
   the library itself.
   @run 2,3 */
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static int handled = 0, elsewhere = 0;

static void handler(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handled;
}
static void other(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++elsewhere;
}

int main(int argc, char** argv) {
  int me, size, wrong = 0, any = 0;
  double in[8] = {1}, out[8];
  MPI_Comm comm;
  MPI_Errhandler mine, others;
  MPI_Datatype made;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_create_errhandler(other, &others);
  MPI_Comm_set_errhandler(comm, mine);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, others);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, others);
  MPI_Type_contiguous(2, MPI_DOUBLE, &made);
  MPI_Type_commit(&made);
  for (int turn = 0; turn < 4; ++turn) {
    for (int i = 0; i < 5; ++i) {
      char one = 1, sum = 0;
      MPI_Allreduce(&one, &sum, 1, MPI_CHAR, MPI_SUM, comm);
      if (sum != size) wrong = 1, printf("WRONG: sum %d in turn %d\n", sum, turn);
    }
    const MPI_Datatype types[] = {MPI_DOUBLE, made, MPI_CHAR};
    const MPI_Op ops[] = {MPI_BAND, MPI_SUM, MPI_MAXLOC};
    for (int which = 0; which < 3; ++which) {
      handled = 0;
      const int code = MPI_Allreduce(in, out, 1, types[which], ops[which], comm);
      /* MPICH returns no code where a handler has run. */
      if (code == MPI_SUCCESS && handled == 0)
        wrong = 1, printf("WRONG: rank %d: error %d was not raised\n", me, which);
      if (handled != 1)
        wrong = 1, printf("WRONG: rank %d: the handler ran %d times for error %d\n", me, handled, which);
    }
  }
  if (elsewhere) wrong = 1, printf("WRONG: rank %d: another communicator's handler ran %d times\n", me, elsewhere);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&made);
  MPI_Errhandler_free(&mine), MPI_Errhandler_free(&others);
  MPI_Comm_free(&comm);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
