/* What programs about requests share: ranks, complaints, the end, chance, and what a status may say. */
#ifndef TUTTI_TESTS_REQUESTS_H
#define TUTTI_TESTS_REQUESTS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

/* Open MPI 5 says it is MPI 3.1, yet has persistent collectives. */
#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
#define HAS_PERSISTENT 1
#else
#define HAS_PERSISTENT 0
#endif

enum { untouched = 0x5a5a };

static int me, size, wrong;

static inline void complain(const char* format, ...) {
  char text[400];
  va_list words;
  if (++wrong > 20) return;
  va_start(words, format);
  vsnprintf(text, sizeof text, format, words);
  va_end(words);
  printf("WRONG: rank %d: %s\n", me, text);
  fflush(stdout);
}

/* By WIRES in the environment, who serves requests: algorithms over messages, with phases in (pretended) nodes or not,
   or the MPI's own collectives between these. */
static inline void choose_wires(void) {
  static const char* const algorithms[][2] = {{"BARRIER", "dissemination"},
                                              {"BCAST", "binomial"},
                                              {"REDUCE", "binomial"},
                                              {"GATHER", "binomial"},
                                              {"GATHERV", "linear"},
                                              {"SCATTER", "binomial"},
                                              {"SCATTERV", "linear"},
                                              {"ALLGATHER", "ring"},
                                              {"ALLREDUCE", "recursive_doubling"},
                                              {"ALLGATHERV", "ring"},
                                              {"ALLTOALL", "pairwise"},
                                              {"SCAN", "recursive_doubling"},
                                              {"ALLTOALLV", "pairwise"},
                                              {"ALLTOALLW", "pairwise"},
                                              {"EXSCAN", "recursive_doubling"},
                                              {"REDUCE_SCATTER", "pairwise"},
                                              {"REDUCE_SCATTER_BLOCK", "pairwise"}};
  const char* const wires = getenv("WIRES");
  char name[64], text[64];
  for (unsigned i = 0; wires && i < sizeof algorithms / sizeof *algorithms; ++i) {
    snprintf(name, sizeof name, "TUTTI_I%s", algorithms[i][0]);
    snprintf(text, sizeof text, strcmp(wires, "nodes") == 0 ? "node(%s)" : "%s", algorithms[i][1]);
    if (strncmp(wires, "native", 6) == 0)
      snprintf(text, sizeof text, strcmp(wires, "native") == 0 ? "node(native)" : "node(native,senders=2)");
    setenv(name, text, 1);
  }
}

/* With WIRES, requests on the communicator are served from now on: its ranks have met at blocking calls. */
static inline void set_up_wires(MPI_Comm comm) {
  MPI_Request request;
  for (int i = 0; getenv("WIRES") && i < 4; ++i) MPI_Ibarrier(comm, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; getenv("WIRES") && i < 12; ++i) MPI_Barrier(comm);
}

static inline void begin(int* argc, char*** argv, unsigned seconds) {
  choose_wires();
  MPI_Init(argc, argv);
  watch(seconds);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline int end(void) {
  int any = 0;
  PMPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) fputs("ok\n", stdout); /* by one write: the MPI's own words may come in between two */
  fflush(stdout);
  MPI_Finalize();
  return any != 0;
}

/* The first calls of a communicator are the MPI's; from then on tutti serves what it serves. */
static inline void settle(MPI_Comm comm) {
  for (int i = 0; i < 8; ++i) {
    MPI_Request request;
    MPI_Ibarrier(comm, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
    PMPI_Barrier(comm);
  }
}

/* Numbers that look like chance: the same ones from the same seed. */
static inline int drawn(unsigned* seed, int below) {
  *seed = *seed * 1103515245u + 12345u;
  return (int)((*seed >> 8) % (unsigned)below);
}

static inline void shuffle(unsigned* seed, int* order, int count) {
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int i = count - 1; i > 0; --i) {
    const int other = drawn(seed, i + 1), kept = order[i];
    order[i] = order[other], order[other] = kept;
  }
}

static inline void expect_success(int code, const char* what) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (code == MPI_SUCCESS) return;
  MPI_Error_string(code, text, &length);
  complain("%s gives error %d: %s", what, code, text);
}

/* A status that nobody has written yet. */
static inline void blank(MPI_Status* status) {
  memset(status, 0, sizeof *status);
  status->MPI_SOURCE = status->MPI_TAG = status->MPI_ERROR = untouched;
}

static inline int cancelled(const MPI_Status* status) {
  int flag = -1;
  MPI_Test_cancelled(status, &flag);
  return flag;
}

/* The status of a null or an inactive request. */
static inline void expect_empty(const MPI_Status* status, const char* what) {
  int count = -1;
  MPI_Get_count(status, MPI_BYTE, &count);
  if (status->MPI_SOURCE != MPI_ANY_SOURCE || status->MPI_TAG != MPI_ANY_TAG || count != 0 || cancelled(status))
    complain("%s: not the empty status, but source %d, tag %d, count %d", what, status->MPI_SOURCE, status->MPI_TAG,
             count);
  if (status->MPI_ERROR != MPI_SUCCESS && status->MPI_ERROR != untouched)
    complain("%s: MPI_ERROR is %d", what, status->MPI_ERROR);
}

/* The status of a message; of a collective nothing is defined, but that it was not cancelled. */
static inline void expect_message(const MPI_Status* status, int source, int tag, int ints, const char* what) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  if (status->MPI_SOURCE != source || status->MPI_TAG != tag || count != ints || cancelled(status))
    complain("%s: source %d, tag %d, count %d; not %d, %d, %d", what, status->MPI_SOURCE, status->MPI_TAG, count,
             source, tag, ints);
}

static inline void expect_no_error(const MPI_Status* status, const char* what) {
  if (status->MPI_ERROR != MPI_SUCCESS && status->MPI_ERROR != untouched)
    complain("%s: MPI_ERROR is %d", what, status->MPI_ERROR);
  if (cancelled(status)) complain("%s: cancelled", what);
}

#endif
