/* An error that every rank makes and every MPI with argument checks reports on every rank: a datatype that was never
   committed.  Each rank gets the library's error, the user's error handler runs once, and the next call works.
   @run[openmpi,impi,debian-mpich] 2,3 */
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static int handled = 0;

static void handler(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handled;
}

int main(int argc, char** argv) {
  int me, size, wrong = 0, any = 0, data[8] = {0};
  MPI_Comm comm;
  MPI_Errhandler mine;
  MPI_Datatype type;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_set_errhandler(comm, mine);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Type_vector(2, 1, 2, MPI_INT, &type); /* with a gap; not committed */
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < 8; ++i) {
      int one = 1, sum = 0;
      MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
      if (sum != size) wrong = 1, printf("WRONG: sum %d in turn %d\n", sum, turn);
    }
    handled = 0;
    const int code = MPI_Bcast(data, 1, type, 0, comm);
    if (code == MPI_SUCCESS) wrong = 1, printf("WRONG: rank %d: no error for an uncommitted type\n", me);
    if (handled != 1) wrong = 1, printf("WRONG: rank %d: the handler ran %d times for one error\n", me, handled);
  }
  MPI_Type_free(&type);
  MPI_Errhandler_free(&mine);
  MPI_Comm_free(&comm);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
