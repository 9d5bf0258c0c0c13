/* Wrong arguments: each call must fail with the error class that PMPI gives, through the communicator's own handler,
   and right calls before and after must work.  Prints "errors: right". */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>

#include "own.h"

static int handled = 0, wrong = 0, me, size;

static void handler(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handled;
}

static void right(MPI_Comm comm) {
  int mine = me, sum = -1;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  if (sum != size * (size - 1) / 2) wrong = 1, fprintf(stderr, "wrong sum %d\n", sum);
}

static void same(const char* what, int ours, int theirs, int times) {
  int class_ours = MPI_SUCCESS, class_theirs = MPI_SUCCESS;
  MPI_Error_class(ours, &class_ours);
  MPI_Error_class(theirs, &class_theirs);
  if (class_ours == class_theirs && class_ours != MPI_SUCCESS && times == 2) return;
  wrong = 1;
  fprintf(stderr, "%s: class %d, PMPI %d, handler called %d times for two errors\n", what, class_ours, class_theirs,
          times);
}

#define COMPARE(call, ...)                                   \
  do {                                                       \
    handled = 0;                                             \
    const int ours = MPI_##call(__VA_ARGS__);                \
    const int theirs = OWN(PMPI_##call)(__VA_ARGS__);        \
    same(#call "(" #__VA_ARGS__ ")", ours, theirs, handled); \
    right(comm);                                             \
  } while (0)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm comm;
  MPI_Errhandler mine;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_set_errhandler(comm, mine);
  for (int round = 0; round < 3; ++round) {
    int in = 1, out = 0;
    right(comm);
    COMPARE(Allreduce, &in, &out, -1, MPI_INT, MPI_SUM, comm);
    COMPARE(Allreduce, &in, &out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm);
    COMPARE(Allreduce, &in, &out, 1, MPI_INT, MPI_OP_NULL, comm);
    COMPARE(Bcast, &in, 1, MPI_INT, size, comm);
    COMPARE(Bcast, &in, -3, MPI_INT, 0, comm);
    COMPARE(Reduce, &in, &out, 1, MPI_INT, MPI_SUM, -7, comm);
  }
  MPI_Errhandler_free(&mine);
  MPI_Comm_free(&comm);
  int any = 0;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("errors: right\n");
  MPI_Finalize();
  return any;
}
