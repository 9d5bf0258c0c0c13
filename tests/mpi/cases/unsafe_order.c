/* Rooted collectives crossed with messages.  The standard calls such programs unsafe (a collective may synchronise),
   yet every MPI runs them, since a short reduce or bcast waits for nobody.  tutti's 4th call on a communicator is a
   full synchronisation, whatever the collective is; later a root runs ahead by thousands of short calls. Run: mpiexec
   -n 2 (or more) ./unsafe_order           reduce, then send; recv, then reduce: hang at the 4th expected mpiexec -n 2
   (or more) ./unsafe_order ahead     200 bcasts, then send; recv, then 200 bcasts LD_PRELOAD=libtutti.so, default
   settings.  Native: ok.
   @run[openmpi,impi,debian-mpich] 2,3
   @run 2,3 ahead */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "watch.h"

static int me, size, wrong = 0;

static void receive_all(void) {
  for (int from = 1; from < size; ++from) {
    int word = -1;
    MPI_Recv(&word, 1, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void crossed(int turn) {
  int mine = me + turn, sum = -1;
  if (me == 0) receive_all();
  MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me != 0) MPI_Send(&mine, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  if (me == 0 && sum != size * (size - 1) / 2 + size * turn) wrong = 1, printf("WRONG: sum %d\n", sum);
}

static void ahead(void) {
  int word = -1;
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  if (me != 0) MPI_Recv(&word, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 200; ++i) {
    word = me == 0 ? i : -1;
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (word != i) wrong = 1, printf("WRONG: word %d in call %d\n", word, i);
  }
  for (int to = 1; me == 0 && to < size; ++to) MPI_Send(&word, 1, MPI_INT, to, 6, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int any = 0;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1 && strcmp(argv[1], "ahead") == 0)
    ahead();
  else
    for (int turn = 0; turn < 10; ++turn) crossed(turn);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
