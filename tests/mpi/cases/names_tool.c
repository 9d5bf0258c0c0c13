/* An MPMD job in which one program has a profiling tool linked in: its own MPI_X counts and calls PMPI_X, the other
   program's MPI_X is the library's.  Here both are one program: odd ranks take the way past the tool.
   @run 2,3 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static int me, seen;

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  __typeof__(&MPI_Allreduce) next = PMPI_Allreduce;
  if (me % 2)
    *(void**)&next = dlsym(RTLD_NEXT, "MPI_Allreduce");
  else
    ++seen;
  return next(from, to, count, type, op, comm);
}

/* A tool may make more of a call than one: here a reduction before it, on all ranks alike. */
int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  int most = count;
  MPI_Allreduce(&count, &most, 1, MPI_INT, MPI_MAX, comm);
  return most == count ? PMPI_Bcast(buffer, count, type, root, comm) : MPI_ERR_COUNT;
}

int main(int argc, char** argv) {
  int size, wrong = 0;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 20; ++i) {
    int mine = me + i, sum = -1, word = me == i % size ? i : -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&word, 1, MPI_INT, i % size, MPI_COMM_WORLD);
    wrong |= sum != size * (size - 1) / 2 + size * i || word != i;
  }
  wrong |= me % 2 == 0 && seen != 40;
  if (wrong) printf("WRONG: rank %d, the tool saw %d\n", me, seen);
  if (me == 0 && !wrong) printf("ok\n");
  fflush(stdout);
  MPI_Finalize();
  return wrong;
}
