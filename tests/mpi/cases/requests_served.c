/* Nonblocking calls and persistent requests are served: on a communicator that has blocking calls too, and on one that
   has none.  What passes through (neighbourhood collectives, operators of the program's) is right as well.
   @run 2,3,5 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#include "watch.h"

enum { calls = 200, many = 100 /* more than there are channels */ };

struct counters {
  uint64_t calls, eligible, node, flat, hierarchy;
};

/* Calls served on the node, or -1 without tutti. */
static long served(const char* name) {
  int (*ask)(const char*, struct counters*) = NULL;
  struct counters found = {0, 0, 0, 0, 0};
  *(void**)&ask = dlsym(RTLD_DEFAULT, "tutti_get_counters");
  return ask && ask(name, &found) == 0 ? (long)found.node : -1;
}

static int reduce_on(MPI_Comm comm, int size) {
  int wrong = 0;
  for (int i = 0; i < calls; ++i) {
    int mine = i, sum = 0;
    MPI_Request request;
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong += sum != i * size || request != MPI_REQUEST_NULL;
  }
  return wrong;
}

#if MPI_VERSION >= 4
static int persistent_on(MPI_Comm comm, int size) {
  int mine = 0, sum = 0, wrong = 0;
  MPI_Request request;
  MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
  for (int i = 0; i < calls; ++i) {
    mine = i;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    wrong += sum != i * size;
  }
  MPI_Request_free(&request);
  return wrong || request != MPI_REQUEST_NULL;
}

/* Channels that all ranks have given back serve the next requests. */
static int many_one_by_one(MPI_Comm comm) {
  for (int i = 0; i < many; ++i) {
    MPI_Request request;
    MPI_Barrier_init(comm, MPI_INFO_NULL, &request);
    MPI_Start(&request), MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Barrier(comm);
  }
  return 0;
}
#else
static int many_one_by_one(MPI_Comm comm) { return comm == MPI_COMM_NULL; }
static int persistent_on(MPI_Comm comm, int size) { return comm == MPI_COMM_NULL || size == 0; }
#endif

int main(int argc, char** argv) {
  int size, wrong;
  MPI_Comm apart;
  watch(60);
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &apart);
  for (int i = 0; i < 8; ++i) MPI_Barrier(MPI_COMM_WORLD);
  wrong = reduce_on(MPI_COMM_WORLD, size);
  long now = served("iallreduce");
  if (now >= 0 && now < calls / 2) printf("WRONG: %ld of %d calls served beside blocking ones\n", now, calls);
  wrong += reduce_on(apart, size);
  if (now >= 0 && served("iallreduce") < now + calls / 2)
    printf("WRONG: %ld of %d calls served without blocking ones\n", served("iallreduce") - now, calls);
  wrong += persistent_on(apart, size);
  if (MPI_VERSION >= 4 && now >= 0 && served("allreduce_init") != 1)
    printf("WRONG: the persistent request is not served\n");
  wrong += many_one_by_one(apart);
  if (MPI_VERSION >= 4 && now >= 0 && served("barrier_init") != many)
    printf("WRONG: %ld of %d persistent requests served\n", served("barrier_init"), many);
  if (wrong) printf("WRONG: %d results\n", wrong);
  MPI_Comm_free(&apart);
  MPI_Finalize();
  if (!wrong) puts("ok");
  return wrong != 0;
}
