/* Ranks of one reduction name the same bits by different predefined handles: MPI_REAL8 here, MPI_DOUBLE there (coupled
   models, manager and workers in separate sources).  MPI compares no types between ranks: all are served alike.
   @run 2,3 */
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static int bytes_of(MPI_Datatype type) {
  int size = -1;
  return MPI_Type_size(type, &size) == MPI_SUCCESS ? size : -1;
}

int main(int argc, char** argv) {
  int me, size, wrong = 0, any = 0;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (bytes_of(MPI_REAL8) == 8) {
    for (int i = 0; i < 10; ++i) {
      double mine = me + i, sum = -1;
      MPI_Allreduce(&mine, &sum, 1, me == 0 ? MPI_REAL8 : MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      if (sum != size * (size - 1) / 2 + size * i) wrong = 1, printf("WRONG: real sum %g in call %d\n", sum, i);
    }
  } else if (me == 0) {
    printf("this MPI has no MPI_REAL8\n");
  }
  if (bytes_of(MPI_INTEGER4) == 4) {
    for (int i = 0; i < 10; ++i) {
      int mine = me + i, sum = -1;
      MPI_Allreduce(&mine, &sum, 1, me == 0 ? MPI_INTEGER4 : MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      if (sum != size * (size - 1) / 2 + size * i) wrong = 1, printf("WRONG: integer sum %d in call %d\n", sum, i);
    }
  }
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
