/* The first request call of a program makes a persistent request, and is served, as are those after it: on a
   communicator without any other call, on one whose ranks are late, and behind nonblocking calls.  `many`: as many at
   once as a solver holds, and more than are served.  `refused`: one rank alone has invalid arguments and gets its
   error, the others do not wait for it for ever.  `local`: a program that relies on calls that wait for no one.
   `unmapped`: one rank cannot open, and so not map, the others' memory.
   @run 1,2,3,5 served
   @run 2,3 many
   @run 2,3 refused
   @run 2 local
   @run 2 served TUTTI=off
   @run 2,3 unmapped */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include "requests.h"

#if HAS_PERSISTENT
enum { channels = 64, most = channels + 9 };

struct counters {
  uint64_t calls, eligible, node, flat, hierarchy;
};

/* Requests that tutti has served, or -1 without it. */
static long served(const char* name) {
  int (*ask)(const char*, struct counters*) = NULL;
  struct counters found = {0, 0, 0, 0, 0};
  const char* const off = getenv("TUTTI");
  if (off && strcmp(off, "off") == 0) return -1;
  *(void**)&ask = dlsym(RTLD_DEFAULT, "tutti_get_counters");
  return ask && ask(name, &found) == 0 ? (long)found.node : -1;
}

static void expect_served(const char* name, long before, long more, const char* where) {
  const long now = served(name);
  if (now >= 0 && size > 1 && now != before + more)
    complain("%s: %ld of %ld %s are served", where, now - before, more, name);
}

static void use(MPI_Request* request, int* mine, const int* sum, const char* where) {
  for (int turn = 0; turn < 50; ++turn) {
    *mine = me + turn;
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    if (*sum != size * (size - 1) / 2 + size * turn) complain("%s: %d in turn %d", where, *sum, turn);
  }
}

/* Two requests, made and used; all served. */
static void pair_on(MPI_Comm comm, const char* where) {
  int mine = 0, sum = 0, word = 0;
  MPI_Request requests[2];
  const long reduced = served("allreduce_init"), sent = served("bcast_init");
  MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[0]);
  MPI_Bcast_init(&word, 1, MPI_INT, size - 1, comm, MPI_INFO_NULL, &requests[1]);
  expect_served("allreduce_init", reduced, 1, where);
  expect_served("bcast_init", sent, 1, where);
  use(&requests[0], &mine, &sum, where);
  word = me;
  MPI_Startall(1, &requests[1]), MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  if (word != size - 1) complain("%s: bcast gives %d", where, word);
  for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
}

static void all_served(void) {
  MPI_Comm comm;
  pair_on(MPI_COMM_WORLD, "the first calls");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (me == size - 1) usleep(300000);
  pair_on(comm, "a late rank");
  MPI_Comm_free(&comm);
  for (int before = 1; before < 8; ++before) {
    int word = 0;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < before; ++i) {
      MPI_Ibcast(&word, 1, MPI_INT, 0, comm, &request);
      /* Some see the ranks' comparison complete earlier than others. */
      if (me % 2) usleep(200);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    pair_on(comm, "behind nonblocking calls");
    MPI_Comm_free(&comm);
  }
}

static void many(void) {
  static int mine[most], sum[most];
  MPI_Request requests[most];
  const long before = served("allreduce_init");
  for (int i = 0; i < most; ++i)
    MPI_Allreduce_init(&mine[i], &sum[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]);
  expect_served("allreduce_init", before, channels, "many");
  for (int turn = 0; turn < 20; ++turn) {
    for (int i = 0; i < most; ++i) mine[i] = me + turn * i;
    MPI_Startall(most, requests);
    MPI_Waitall(most, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < most; ++i)
      if (sum[i] != size * (size - 1) / 2 + size * turn * i) complain("many: %d of %d", sum[i], i);
  }
  for (int i = 0; i < most; ++i) MPI_Request_free(&requests[i]);
}

static void refused(void) {
  int mine = me, sum = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int bad = me == 0;
  const int code =
      MPI_Allreduce_init(&mine, &sum, bad ? -1 : 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  if (bad != (code != MPI_SUCCESS)) complain("refused: code %d", code);
  if (!bad) MPI_Request_free(&request);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sum != size * (size - 1) / 2) complain("refused: %d", sum);
}

static void local(void) {
  int mine = me, sum = 0, word = 0;
  MPI_Request request;
  if (me == 1) MPI_Recv(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  if (me == 0) MPI_Send(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  use(&request, &mine, &sum, "local");
  MPI_Request_free(&request);
}

static void unmapped(void) {
  int mine = me, sum = 0;
  MPI_Request request;
  struct rlimit before;
  MPI_Barrier(MPI_COMM_WORLD);
  getrlimit(RLIMIT_NOFILE, &before);
  const struct rlimit little = {3, before.rlim_max}; /* what is open stays open */
  if (me == size - 1) setrlimit(RLIMIT_NOFILE, &little);
  MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  setrlimit(RLIMIT_NOFILE, &before);
  expect_served("allreduce_init", served("allreduce_init"), 0, "unmapped");
  use(&request, &mine, &sum, "unmapped");
  MPI_Request_free(&request);
}

static void run(const char* mode) {
  if (strcmp(mode, "served") == 0) all_served();
  if (strcmp(mode, "many") == 0) many();
  if (strcmp(mode, "refused") == 0) refused();
  if (strcmp(mode, "local") == 0) local();
  if (strcmp(mode, "unmapped") == 0) unmapped();
}
#else
static void run(const char* mode) { (void)mode; } /* this MPI has none */
#endif

int main(int argc, char** argv) {
  begin(&argc, &argv, 60);
  run(argc > 1 ? argv[1] : "served");
  return end();
}
