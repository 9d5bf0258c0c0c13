/* While a nonblocking collective that is left to the MPI is under way, a rank that waits in a served call does not
   sleep, since the MPI may need it (requests_progress.c).  Once the program has completed it, by whatever function,
   waits sleep again.  Arguments: functions, each of them a check of its own.
   @run 2,3 TUTTI_IALLREDUCE=native TUTTI_BARRIER=node Wait Waitall Waitany Waitsome
   @run 2,3 TUTTI_IALLREDUCE=native TUTTI_BARRIER=node Test Testall Testany Testsome Request_free */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <time.h>

#include "requests.h"

#ifndef RUSAGE_THREAD
#define RUSAGE_THREAD 1
#endif
#if HAS_PERSISTENT
#define PERSISTENT(request) \
  MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request), MPI_Start(request)
#else
#define PERSISTENT(request) MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request)
#endif

static int one = 1, sum;

static double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* What a rank's wait for a late first rank costs it of the CPU. */
static double late_barrier(void) {
  struct timespec late = {0, 200000000};
  if (me == 0) nanosleep(&late, NULL);
  const double before = cpu_seconds();
  MPI_Barrier(MPI_COMM_WORLD);
  return cpu_seconds() - before;
}

static void complete(const char* how, MPI_Request request[2]) {
  int flag = 0, number = 0, index = 0, indices[2];
  if (strcmp(how, "Wait") == 0) MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  if (strcmp(how, "Waitall") == 0) MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  if (strcmp(how, "Waitany") == 0) MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
  if (strcmp(how, "Waitsome") == 0) MPI_Waitsome(2, request, &number, indices, MPI_STATUSES_IGNORE);
  while (strcmp(how, "Test") == 0 && !flag) MPI_Test(&request[1], &flag, MPI_STATUS_IGNORE);
  while (strcmp(how, "Testall") == 0 && !flag) MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
  while (strcmp(how, "Testany") == 0 && !flag) MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
  while (strcmp(how, "Testsome") == 0 && number == 0) MPI_Testsome(2, request, &number, indices, MPI_STATUSES_IGNORE);
  if (strcmp(how, "Request_free") == 0) {
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    if (request[1] != MPI_REQUEST_NULL) MPI_Request_free(&request[1]);
  }
  if (request[1] != MPI_REQUEST_NULL) complain("%s leaves the request", how);
}

static void once(const char* how) {
  MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  sum = 0;
  if (strcmp(how, "Request_free") == 0)
    PERSISTENT(&request[1]);
  else
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  complete(how, request);
  if (sum != size) complain("%s: %d, not %d", how, sum, size);
  const double cost = late_barrier();
  if (me != 0 && cost > 0.05) complain("%s: a wait of 0.2 s had %g s of a CPU after the request's end", how, cost);
}

int main(int argc, char** argv) {
  begin(&argc, &argv, 60);
  for (int i = 0; i < 20; ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 1; i < argc; ++i) once(argv[i]);
  return end();
}
