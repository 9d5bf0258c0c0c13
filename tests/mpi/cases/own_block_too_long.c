/* The root of a gather or scatter has a block for itself that is longer than it has room for: an error at the root
   alone, once.  The others have sent theirs, or get theirs, and the next calls work.
   @run 2,3 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "watch.h"

enum { most = 8, block = 3000 };

static int handled = 0;

static void handler(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handled;
}

int main(int argc, char** argv) {
  static int many[most * block], one[2 * block];
  int me, size, wrong = 0, any = 0;
  MPI_Comm comm;
  MPI_Errhandler mine;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_set_errhandler(comm, mine);
  for (int turn = 0; turn < 40; ++turn) {
    const int bad = turn % 5 == 4, length = turn % 2 ? block : 10;
    int sum = 0, code, number = 1;
    handled = 0;
    for (int i = 0; i < 2 * block; ++i) one[i] = me + turn;
    memset(many, -1, sizeof many);
    code = MPI_Gather(one, bad && me == 0 ? 2 * length : length, MPI_INT, many, length, MPI_INT, 0, comm);
    if ((code != MPI_SUCCESS) != (bad && me == 0) || handled != (bad && me == 0))
      wrong = 1, printf("WRONG: rank %d: gather in turn %d: code %d, handled %d times\n", me, turn, code, handled);
    for (int i = length; !bad && me == 0 && i < size * length; ++i)
      if (many[i] != i / length + turn) wrong = 1;
    handled = 0;
    for (int i = 0; me == 0 && i < size * length; ++i) many[i] = i / length + turn;
    memset(one, -1, sizeof one);
    code = MPI_Scatter(many, length, MPI_INT, one, bad && me == 0 ? length / 2 : length, MPI_INT, 0, comm);
    if ((code != MPI_SUCCESS) != (bad && me == 0) || handled != (bad && me == 0))
      wrong = 1, printf("WRONG: rank %d: scatter in turn %d: code %d, handled %d times\n", me, turn, code, handled);
    for (int i = 0; me != 0 && i < length; ++i)
      if (one[i] != me + turn) wrong = 1;
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != size || wrong) wrong = 1, printf("WRONG: rank %d: data of turn %d\n", me, turn);
    if (wrong) break;
  }
  MPI_Errhandler_free(&mine);
  MPI_Comm_free(&comm);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
