/* Parents and spawned children in one communicator: parts of it that hold both, and parts that hold parents or children
   alone, also where the children lack the library.  What goes beyond MPI_COMM_WORLD is the MPI library's.
   @run[openmpi,wheel-mpich] 2
   @run[openmpi,wheel-mpich] 2 strip */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "watch.h"

static int wrong = 0;

static void sums(MPI_Comm comm, const char* what) {
  int me, size;
  MPI_Comm_rank(comm, &me), MPI_Comm_size(comm, &size);
  for (int i = 0; i < 8; ++i) {
    int mine = me + i, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != size * (size - 1) / 2 + size * i) wrong = 1, printf("WRONG: sum %d on %s\n", sum, what);
  }
}

int main(int argc, char** argv) {
  MPI_Comm parent, inter, all, part;
  int me, world, any = 0;
  MPI_Init(&argc, &argv);
  watch(60);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    char option[] = "-u", name[] = "LD_PRELOAD";
    char* bare[] = {option, name, argv[0], NULL};
    const int strip = argc > 1 && strcmp(argv[1], "strip") == 0;
    MPI_Comm_spawn(strip ? "/usr/bin/env" : argv[0], strip ? bare : MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                   &inter, MPI_ERRCODES_IGNORE);
  } else {
    inter = parent;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Intercomm_merge(inter, parent != MPI_COMM_NULL, &all);
  MPI_Comm_rank(all, &me);
  sums(all, "all");
  MPI_Comm_split(all, world, me, &part); /* one parent and one child each */
  sums(part, "a parent and a child");
  MPI_Comm_free(&part);
  MPI_Comm_split(all, parent != MPI_COMM_NULL, me, &part); /* parents, and children */
  sums(part, "parents or children");
  MPI_Comm_free(&part);
  MPI_Reduce(&wrong, &any, 1, MPI_INT, MPI_MAX, 0, all);
  if (me == 0 && !any) printf("ok\n");
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&inter);
  MPI_Finalize();
  return wrong;
}
