/* A collective in the delete callback of an attribute of MPI_COMM_SELF, which MPI_Finalize runs, meets the same
   collective that other ranks make before MPI_Finalize.
   @run 2,3
   @run 3 early */
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static int me, size, wrong = 0;

static void sums(int from, int to) {
  for (int i = from; i < to; ++i) {
    int mine = me + i, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size * (size - 1) / 2 + size * i) wrong = 1, printf("WRONG: sum %d in call %d\n", sum, i);
  }
}

static int deleted(MPI_Comm comm, int which, void* value, void* extra) {
  (void)comm, (void)which, (void)value, (void)extra;
  int any = 0;
  if (me % 2) sums(10, 20);
  sums(20, 25);
  MPI_Reduce(&wrong, &any, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  fflush(stdout);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int key;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, NULL);
  if (argc > 1) MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL); /* before anything of ours could hang there */
  sums(0, argc > 1 ? 2 : 10);
  for (int i = argc > 1 ? 2 : 10; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  if (argc == 1) MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  if (me % 2 == 0) sums(10, 20);
  MPI_Finalize();
  return wrong;
}
