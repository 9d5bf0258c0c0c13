/* A GPU runtime in the process of one rank.  Where the MPI takes device buffers (MV2_USE_CUDA stands for that here),
   the communicators that are agreed on with it loaded are the MPI's, on all ranks: TUTTI_GPU=host, no such MPI, or a
   communicator without that rank, and they are served.  The runtime is a copy of another library by its name.
   @run 2 native MV2_USE_CUDA=1
   @run 3 native MV2_USE_CUDA=1
   @run 2 served MV2_USE_CUDA=1 TUTTI_GPU=host
   @run 2 served */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tutti/tutti.h"

static long served(void) {
  int (*get)(const char*, struct tutti_counters*) = NULL;
  struct tutti_counters counters;
  *(void**)&get = dlsym(RTLD_DEFAULT, "tutti_get_counters");
  return get && get("", &counters) == 0 ? (long)counters.node : -1;
}

static void load_runtime(void) {
  char folder[] = "/tmp/tutti_gpu.XXXXXX", command[512], path[64];
  Dl_info libm;
  void* any = dlopen("libm.so.6", RTLD_LAZY);
  if (!any || !dladdr(dlsym(any, "cos"), &libm) || !mkdtemp(folder)) exit(2);
  snprintf(path, sizeof path, "%s/libcuda.so.1", folder);
  snprintf(command, sizeof command, "cp %s %s", libm.dli_fname, path);
  if (system(command) != 0 || !dlopen(path, RTLD_LAZY)) exit(2);
  unlink(path);
  rmdir(folder);
}

static void collectives(MPI_Comm comm) {
  int me, size, sum = -1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < 12; ++i) {
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != size * (size - 1) / 2) printf("WRONG: sum %d\n", sum);
  }
}

int main(int argc, char** argv) {
  int me, size;
  MPI_Comm without;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, me == size - 1, me, &without);
  if (me == size - 1) load_runtime();
  const long before = served();
  collectives(MPI_COMM_WORLD);
  const long with = served() - before;
  collectives(without);
  const long rest = served() - before - with;
  const int native = argc > 1 && strcmp(argv[1], "native") == 0;
  if (before >= 0 && native != (with == 0)) printf("WRONG: %ld were served\n", with);
  if (before >= 0 && size == 3 && me < 2 && rest == 0) printf("WRONG: none was served without that rank\n");
  if (me == 0) printf("ok\n");
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
