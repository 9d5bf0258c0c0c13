/* One rank has no memory left (RLIMIT_AS) when calls need some of the call's size: long data that does not lie in one
   piece.  Whoever gets an error gets it once, whoever gets none has the right data, nobody hangs, and once there is
   memory again calls work as before.  The rank is the root or not, by turns.  On the node
   engine: MPI libraries hang or end the program.
   @run 2,3 TUTTI_BCAST=node TUTTI_REDUCE=node TUTTI_ALLREDUCE=node TUTTI_ALLGATHER=node */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "watch.h"

enum {
  count = 6 << 20,
  reserve = 12 << 20
}; /* ints of a call, of which each takes 8 bytes; bytes left to the poor rank */

static int me, size, wrong = 0, handled = 0, *left, *right;
static MPI_Comm comm;
static MPI_Datatype spaced;

static void handler(MPI_Comm* from, int* code, ...) {
  (void)from, (void)code;
  ++handled;
}

static void limit(int poor) {
  struct rlimit now;
  getrlimit(RLIMIT_AS, &now);
  now.rlim_cur = now.rlim_max;
  if (poor) {
    long pages = 0;
    FILE* const file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1) exit(2);
    fclose(file);
    now.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + reserve;
  }
  setrlimit(RLIMIT_AS, &now);
}

static void set(int* data, int value, int step) {
  for (int i = 0; i < count; ++i) data[2 * i] = value + step * (i % 1000), data[2 * i + 1] = -1;
}

/* After a call: one error or none; without one, the data. */
static void ended(const char* what, int code, const int* data, int value, int step, int has_data) {
  if (handled != (code != MPI_SUCCESS))
    wrong = 1, printf("WRONG: rank %d: %s: the handler ran %d times for code %d\n", me, what, handled, code);
  for (int i = 0; code == MPI_SUCCESS && has_data && i < count && !wrong; ++i)
    if (data[2 * i] != value + step * (i % 1000) || data[2 * i + 1] != -1)
      wrong = 1, printf("WRONG: rank %d: %s: element %d is %d\n", me, what, i, data[2 * i]);
  handled = 0;
}

static void working(void) {
  int one = 1, sum = 0;
  if (MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS || sum != size)
    wrong = 1, printf("WRONG: rank %d: the next call\n", me);
}

static void add(void* in, void* inout, int* number, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *number; ++i) ((int*)inout)[2 * i] += ((int*)in)[2 * i];
}

static void calls(int root, MPI_Op sum) {
  set(left, me == root ? 5 : -1, me == root ? 1 : 0);
  ended("bcast", MPI_Bcast(left, count, spaced, root, comm), left, 5, 1, 1);
  working();
  set(left, me, 1), set(right, -1, 0);
  ended("reduce", MPI_Reduce(left, right, count, spaced, sum, root, comm), right, size * (size - 1) / 2, size,
        me == root);
  working();
  set(left, me, 1), set(right, -1, 0);
  ended("allreduce", MPI_Allreduce(left, right, count, spaced, sum, comm), right, size * (size - 1) / 2, size, 1);
  working();
  set(left, 3, 0), set(right, -1, 0);
  ended("allgather", MPI_Allgather(left, count / size, spaced, right, count / size, spaced, comm), right, 3, 0,
        count % size == 0);
  working();
}

int main(int argc, char** argv) {
  int any = 0;
  MPI_Datatype pair;
  MPI_Errhandler mine;
  MPI_Op sum;
  MPI_Init(&argc, &argv);
  watch(45);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_set_errhandler(comm, mine);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &pair);
  MPI_Type_dup(pair, &spaced);
  MPI_Type_commit(&spaced);
  MPI_Op_create(add, 1, &sum);
  left = malloc(2 * sizeof(int) * (size_t)count), right = malloc(2 * sizeof(int) * (size_t)count);
  set(left, 0, 0), set(right, 0, 0);
  for (int i = 0; i < 8; ++i) working();
  for (int poor = 0; poor < 2; ++poor) {
    if (me == poor) limit(1);
    calls(0, sum);
    if (me == poor) limit(0);
    MPI_Barrier(comm);
    working();
  }
  free(left), free(right);
  MPI_Op_free(&sum);
  MPI_Type_free(&pair);
  MPI_Type_free(&spaced);
  MPI_Errhandler_free(&mine);
  MPI_Comm_free(&comm);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
