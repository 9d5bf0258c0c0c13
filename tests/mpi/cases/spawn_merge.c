/* Spawned processes that do not inherit LD_PRELOAD, merged with their parents: at the parents' 4th collective on the
   merged communicator these wait for an agreement that the child knows nothing of.
   Run: Open MPI: mpirun -n 1 -x LD_PRELOAD=.../libtutti.so /abs/path/spawn_merge
        MPICH:    mpiexec -n 1 -genv LD_PRELOAD .../libtutti.so /abs/path/spawn_merge
        and with the argument `strip`, which starts the child by `env -u LD_PRELOAD` whatever the launcher hands on.
   The path must be absolute.  Native: ok.  Preloaded, as seen: hang wherever the child is not preloaded.
   @run[openmpi,wheel-mpich] 1
   @run[openmpi,wheel-mpich] 1 strip */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

int main(int argc, char** argv) {
  MPI_Comm parent, inter, all;
  int me, size, preloaded, wrong = 0;
  MPI_Init(&argc, &argv);
  watch(60);
  preloaded = getenv("LD_PRELOAD") != NULL;
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    char option[] = "-u", name[] = "LD_PRELOAD";
    char* bare[] = {option, name, argv[0], NULL};
    const int strip = argc > 1 && strcmp(argv[1], "strip") == 0;
    MPI_Comm_spawn(strip ? "/usr/bin/env" : argv[0], strip ? bare : MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                   &inter, MPI_ERRCODES_IGNORE);
  } else {
    inter = parent;
  }
  MPI_Intercomm_merge(inter, parent != MPI_COMM_NULL, &all);
  MPI_Comm_rank(all, &me);
  MPI_Comm_size(all, &size);
  printf("rank %d of %d: LD_PRELOAD is %s\n", me, size, preloaded ? "set" : "not set");
  fflush(stdout);
  for (int i = 0; i < 10; ++i) {
    int mine = me + i, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, all);
    if (sum != size * (size - 1) / 2 + size * i) wrong = 1, printf("WRONG: sum %d in call %d\n", sum, i);
  }
  if (me == 0 && !wrong) printf("ok\n");
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&inter);
  MPI_Finalize();
  return wrong;
}
