/* Collective calls of MPI-IO make collectives on the user's communicator from inside the library: these are the
   library's own on all ranks, and no call of the program's, whatever name the program's go by.
   @run 2,3 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tutti/tutti.h"
#include "watch.h"

static long calls(void) {
  int (*get)(const char*, struct tutti_counters*) = NULL;
  struct tutti_counters counters;
  *(void**)&get = dlsym(RTLD_DEFAULT, "tutti_get_counters");
  return get && get("", &counters) == 0 ? (long)counters.calls : -1;
}

int main(int argc, char** argv) {
  int me, size, wrong = 0;
  char name[64];
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int id = (int)getpid();
  MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(name, sizeof name, "/tmp/tutti_names_io.%d", id);
  for (int i = 0; i < 6; ++i) {
    MPI_File file;
    MPI_Status status;
    int word = 10 * me + i, back = -1, sum = -1;
    const MPI_Offset at = (MPI_Offset)me * (MPI_Offset)sizeof word;
    const long before = calls();
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, at, &word, 1, MPI_INT, &status);
    MPI_File_sync(file);
    MPI_File_read_at_all(file, at, &back, 1, MPI_INT, &status);
    MPI_File_close(&file);
    const long after = calls();
    if (after != before || back != word)
      wrong = 1, printf("WRONG: %ld calls were counted, %d read\n", after - before, back);
    if ((me + i) % 2)
      MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else
      PMPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size * (size - 1) / 2) wrong = 1, printf("WRONG: sum %d\n", sum);
  }
  if (me == 0) unlink(name);
  if (me == 0 && !wrong) printf("ok\n");
  fflush(stdout);
  MPI_Finalize();
  return wrong;
}
