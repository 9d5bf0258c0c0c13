/* Nonblocking and persistent calls over messages: once ranks have met at blocking calls, they are served, as the
   counters say; persistent requests are from the first one on, as many at once as have channels.  All seventeen
   collectives, many outstanding on some communicators; one of these is freed meanwhile.  Before ranks meet, one of them
   alone makes calls with wrong arguments.
   Arguments: collectives that the algorithm does not serve at that placement.
   @run[wheel-mpich,openmpi] 2,5 WIRES=flat
   @run[wheel-mpich,openmpi] 4 TUTTI_PRETEND_NODES=block:2 WIRES=flat
   @run[wheel-mpich,openmpi] 4 TUTTI_PRETEND_NODES=block:2 WIRES=nodes
   @run[wheel-mpich,openmpi] 4 TUTTI_PRETEND_NODES=cyclic:2 WIRES=nodes scan exscan
   @run[wheel-mpich,openmpi] 5 TUTTI_PRETEND_NODES=sizes:2,3 WIRES=nodes gather scatter
   @run[wheel-mpich,openmpi] 4 TUTTI_PRETEND_NODES=block:2 WIRES=native
   @run[wheel-mpich,openmpi] 4 TUTTI_PRETEND_NODES=cyclic:2 WIRES=native2 scan exscan
   @run[debian-mpich,impi] 4 TUTTI_PRETEND_NODES=block:2 WIRES=nodes
   @run[debian-mpich,impi] 3 WIRES=flat */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#include "requests.h"
#include "requests_jobs.h"

enum { rounds = 4, comms_count = 2, most_lent = 8, held = 9 };

struct counters {
  uint64_t calls, eligible, node, flat, hierarchy;
};

/* Calls served over messages, or -1 without tutti. */
static long served(const char* form, const char* name, const char* end) {
  int (*ask)(const char*, struct counters*) = NULL;
  struct counters found = {0, 0, 0, 0, 0};
  char text[64];
  snprintf(text, sizeof text, "%s%s%s", form, name, end);
  *(void**)&ask = dlsym(RTLD_DEFAULT, "tutti_get_counters");
  return ask && ask(text, &found) == 0 ? (long)(found.flat + found.hierarchy) : -1;
}

/* Where the MPI does not call back, nothing may be served. */
static int moved_anywhere(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(version, &length);
  return strstr(version, "Open MPI") != NULL || dlsym(RTLD_DEFAULT, "PMPIX_Async_start") != NULL;
}

static void expect(long now, long wanted, const char* name, const char* what) {
  if (now >= 0 && now != wanted) complain("%ld of %ld %s calls of %s served", now, wanted, what, name);
}

/* By the order of the calls on all ranks they meet, and these are no calls of the others. */
static void wrong_calls(MPI_Comm comm) {
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < 40; ++i) {
    int value = 0, sum = 0;
    if (me == i % 3 % size && MPI_Bcast(&value, 1, MPI_INT, size + 1, comm) == MPI_SUCCESS)
      complain("a wrong root is no error");
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != size * (size - 1) / 2) complain("a sum of %d", sum);
    if (i != 2) continue;
    for (int k = 0; k < 4; ++k) {
      MPI_Request request;
      MPI_Ibarrier(comm, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
}

static void outstanding(MPI_Comm* comms) {
  static struct job* jobs[comms_count * rounds * collectives];
  static MPI_Request requests[comms_count * rounds * collectives];
  const int all = comms_count * rounds * collectives;
  unsigned seed = (unsigned)me + 1;
  for (int i = 0; i < all; ++i) {
    jobs[i] = job_new((enum collective)(i % collectives), comms[i / collectives % comms_count],
                      i % 7 == 6 ? 3000 : i % 50, i, i % 5 == 2);
    job_start(jobs[i], &requests[i]);
  }
  MPI_Comm_free(&comms[0]);
  for (int left = all; left > 0; --left) {
    int i = drawn(&seed, all);
    while (requests[i] == MPI_REQUEST_NULL) i = (i + 1) % all;
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    job_check(jobs[i], "outstanding");
    job_free(jobs[i]);
  }
}

#if HAS_PERSISTENT
static void persistent_ones(enum collective which) {
  struct job* jobs[held];
  MPI_Request requests[held];
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const long before = served("", names[which], "_init");
  for (int i = 0; i < held; ++i) {
    jobs[i] = job_new(which, comm, i % 3 ? 10 : 2000, i, 0);
    job_call(jobs[i], persistent, &requests[i]);
  }
  /* As many as the node's memory allows. */
  const long now = served("", names[which], "_init") - before;
  if (before >= 0 && (moved_anywhere() ? now < 1 || now > most_lent : now != 0))
    complain("%ld of %d persistent requests of %s served", now, held, names[which]);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < held; ++i) job_fill(jobs[i], round + i);
    /* Intel MPI's own, started in different orders, never end. */
    for (int i = 0; i < held; ++i) MPI_Start(&requests[me % 2 && moved_anywhere() ? held - 1 - i : i]);
    for (int i = 0; i < held; ++i) {
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
      job_check(jobs[i], "persistent");
    }
  }
  for (int i = 0; i < held; ++i) {
    MPI_Request_free(&requests[i]);
    job_free(jobs[i]);
  }
  MPI_Comm_free(&comm);
}
#endif

int main(int argc, char** argv) {
  MPI_Comm comms[comms_count];
  begin(&argc, &argv, 80);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]), wrong_calls(comms[0]), MPI_Comm_free(&comms[0]);
  for (int c = 0; c < comms_count; ++c) MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]), set_up_wires(comms[c]);
  outstanding(comms);
  for (int which = 0; which < collectives; ++which) {
    int left = 0;
    for (int i = 1; i < argc; ++i) left |= strcmp(argv[i], names[which]) == 0;
    if (!left)
      expect(served("i", names[which], ""), moved_anywhere() ? comms_count * rounds : 0, names[which], "nonblocking");
  }
#if HAS_PERSISTENT
  persistent_ones(allreduce), persistent_ones(bcast), persistent_ones(alltoallv);
#endif
  for (int c = 1; c < comms_count; ++c) MPI_Comm_free(&comms[c]);
  return end();
}
