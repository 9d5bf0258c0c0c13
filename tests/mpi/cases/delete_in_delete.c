/* Delete callbacks that make collectives on the communicator that is being freed, set before the first collective on
   some ranks and after it on others, on communicators that are freed or disconnected; and callbacks that free another
   communicator with such a callback.
   @run 2,3
   @run[mpich,openmpi] 4 */
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static int me, size, wrong = 0, called = 0, key, outer_key;

static void sums(MPI_Comm comm, int times, const char* what) {
  for (int i = 0; i < times; ++i) {
    int mine = me + i, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != size * (size - 1) / 2 + size * i) wrong = 1, printf("WRONG: sum %d in %s\n", sum, what);
  }
}

static int deleted(MPI_Comm comm, int which, void* value, void* extra) {
  (void)which, (void)value, (void)extra;
  ++called;
  sums(comm, 5, "a delete callback");
  return MPI_SUCCESS;
}

static int frees_another(MPI_Comm comm, int which, void* value, void* extra) {
  (void)which, (void)extra;
  sums(comm, 2, "a callback that frees another");
  MPI_Comm_free((MPI_Comm*)value);
  sums(comm, 2, "a callback that has freed another");
  return MPI_SUCCESS;
}

static void one(int turn) {
  MPI_Comm comm, other;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm), MPI_Comm_dup(MPI_COMM_WORLD, &other);
  if ((me + turn) % 2) MPI_Comm_set_attr(comm, key, NULL);
  sums(other, turn, "another communicator");
  sums(comm, 6, "a communicator");
  if ((me + turn) % 2 == 0) MPI_Comm_set_attr(comm, key, NULL);
  MPI_Comm_set_attr(other, key, NULL);
  if (turn % 3 == 0) {
    MPI_Comm_set_attr(comm, outer_key, &other);
    MPI_Comm_free(&comm);
  } else {
    turn % 3 == 1 ? MPI_Comm_free(&comm) : MPI_Comm_disconnect(&comm);
    MPI_Comm_free(&other);
  }
}

int main(int argc, char** argv) {
  int any = 0;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, frees_another, &outer_key, NULL);
  for (int turn = 0; turn < 9; ++turn) one(turn);
  if (called != 18) wrong = 1, printf("WRONG: %d callbacks\n", called);
  sums(MPI_COMM_WORLD, 8, "the world");
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
