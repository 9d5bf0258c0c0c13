/* A user's attribute delete callback makes a collective on the communicator that is being freed.  MPI deletes
   attributes last-set first: where the user's was set before the first collective, tutti's is gone by then, a second
   state is hung on the dying communicator, its delete callback never runs, and the next communicator with that handle
   inherits it. Run: mpiexec -n 4 (even, >= 2), LD_PRELOAD=libtutti.so, default settings.  Native: ok.  Preloaded, as
   seen: hang (MPICH), or wrong sums.
   @run 4 */
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static int wrong = 0;

static int deleted(MPI_Comm comm, int key, void* value, void* extra) {
  (void)key, (void)value, (void)extra;
  MPI_Barrier(comm);
  return MPI_SUCCESS;
}

static void use(MPI_Comm comm, const char* what) {
  int me, size;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < 8; ++i) {
    int mine = me + i, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum == size * (size - 1) / 2 + size * i) continue;
    wrong = 1;
    printf("WRONG: sum %d on %s, call %d\n", sum, what, i);
  }
}

int main(int argc, char** argv) {
  int me, key, any = 0;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, NULL);
  for (int turn = 0; turn < 4; ++turn) {
    MPI_Comm all, half;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Comm_set_attr(all, key, NULL); /* before the first collective */
    use(all, "the duplicate");
    MPI_Comm_free(&all);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half); /* gets the freed handle */
    use(half, "a half");
    MPI_Comm_free(&half);
  }
  MPI_Comm_free_keyval(&key);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
