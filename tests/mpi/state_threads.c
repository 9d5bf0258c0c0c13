/* MPI_THREAD_MULTIPLE: threads activate, use and free communicators in different orders on different ranks.  A lock
   held across a call of the MPI underneath would stop this for ever. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { threads = 3, turns = 20, calls = 8 };

static MPI_Comm parent[threads];
static int me, size;

static void use(MPI_Comm comm) {
  for (int i = 0; i < calls; ++i) {
    long mine = me + i, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm);
    if (sum != (long)size * (size - 1) / 2 + (long)size * i) {
      fprintf(stderr, "wrong sum %ld\n", sum);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

static void* work(void* which) {
  MPI_Comm* mine = which;
  for (int turn = 0; turn < turns; ++turn) {
    MPI_Comm comm;
    MPI_Comm_split(*mine, 0, me, &comm);
    use(comm);
    MPI_Comm_free(&comm);
    use(*mine);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (provided < MPI_THREAD_MULTIPLE) {
    if (me == 0) printf("threads: this MPI has no MPI_THREAD_MULTIPLE\n");
    MPI_Finalize();
    return 0;
  }
  for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &parent[i]);
  pthread_t running[threads];
  for (int i = 0; i < threads; ++i) pthread_create(&running[i], NULL, work, &parent[me % 2 ? threads - 1 - i : i]);
  for (int i = 0; i < threads; ++i) pthread_join(running[i], NULL);
  for (int i = 0; i < threads; ++i) MPI_Comm_free(&parent[i]);
  if (me == 0) printf("threads: right\n");
  MPI_Finalize();
  return 0;
}
