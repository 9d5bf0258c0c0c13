/* A rank starts a nonblocking collective and computes for half a second without a call of MPI; others complete theirs
   in the meantime if they can.  Checked: results; that no start waits for that rank; and that nobody, that rank
   included, waits longer than in the same calls of the MPI by itself (its own PMPI_X, which tutti does not serve).
   Where that is not so it is tried twice more, and the least of the ranks' longest waits counts: the machine may be
   busy.
   @run 2,3,4 */
#define _GNU_SOURCE
#include "../own.h"
#include "requests.h"
#include "requests_jobs.h"

enum { tries = 3, long_count = 100000 };
enum { starts, waits, waits_after_computing, times_taken };
static const enum collective some[] = {barrier, bcast, allreduce, reduce, allgather, alltoall};
static const double computing = 0.5, noticeable = 0.1; /* seconds */
static volatile double nothing;

static void compute(void) {
  for (const double until = MPI_Wtime() + computing; MPI_Wtime() < until;)
    for (int i = 0; i < 1000; ++i) nothing += i;
}

static void start_natively(struct job* j, MPI_Request* request) {
  const int count = j->count;
  switch (j->which) {
    case barrier:
      OWN(PMPI_Ibarrier)(j->comm, request);
      break;
    case bcast:
      OWN(PMPI_Ibcast)(j->receive, count, MPI_INT, j->root, j->comm, request);
      break;
    case allreduce:
      OWN(PMPI_Iallreduce)(j->send, j->receive, count, MPI_INT, MPI_SUM, j->comm, request);
      break;
    case reduce:
      OWN(PMPI_Ireduce)(j->send, j->receive, count, MPI_INT, MPI_SUM, j->root, j->comm, request);
      break;
    case allgather:
      OWN(PMPI_Iallgather)(j->send, count, MPI_INT, j->receive, count, MPI_INT, j->comm, request);
      break;
    default:
      OWN(PMPI_Ialltoall)(j->send, count, MPI_INT, j->receive, count, MPI_INT, j->comm, request);
  }
}

/* The ranks' longest times of one call: of a start, of a wait, of the wait of the rank that computes. */
static void once(struct job* job, int native, int computes, double* most) {
  double times[times_taken] = {0, 0, 0};
  MPI_Request request;
  MPI_Barrier(MPI_COMM_WORLD);
  const double first = MPI_Wtime();
  native ? start_natively(job, &request) : job_start(job, &request);
  times[starts] = MPI_Wtime() - first;
  if (me == computes) compute();
  const double computed = MPI_Wtime();
  native ? OWN(PMPI_Wait)(&request, MPI_STATUS_IGNORE) : MPI_Wait(&request, MPI_STATUS_IGNORE);
  times[me == computes ? waits_after_computing : waits] = MPI_Wtime() - computed;
  job_check(job, native ? "compute, natively" : "compute");
  MPI_Allreduce(times, most, times_taken, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

/* Into `least`, if they are less. */
static void again(enum collective which, int count, int turn, int native, MPI_Comm comm, double* least) {
  double most[times_taken];
  struct job* job = job_new(which, comm, count, turn, 0);
  once(job, native, (turn + 1) % size, most);
  for (int k = 0; k < times_taken; ++k)
    if (turn == 0 || most[k] < least[k]) least[k] = most[k];
  job_free(job);
}

/* Which time is longer than natively, or -1.  The same on all ranks. */
static int longer(const double* ours, const double* its) {
  for (int k = 0; k < times_taken; ++k)
    if (ours[k] > its[k] + noticeable) return k;
  return -1;
}

static void compare(enum collective which, int count, MPI_Comm served, MPI_Comm native) {
  static const char* const what[] = {"a start", "a wait of the others", "the wait of the rank that has computed"};
  double ours[times_taken], its[times_taken];
  int late = 0;
  for (int turn = 0; turn < tries && late >= 0; ++turn) {
    again(which, count, turn, 0, served, ours), again(which, count, turn, 1, native, its);
    late = longer(ours, its);
  }
  if (me != 0) return;
  printf("%s of %d: start %.6f s (natively %.6f), others' wait %.6f (%.6f), own wait %.6f (%.6f)\n", names[which],
         count, ours[starts], its[starts], ours[waits], its[waits], ours[waits_after_computing],
         its[waits_after_computing]);
  if (late >= 0)
    complain("%s of %d: %s takes %.3f s, natively %.3f", names[which], count, what[late], ours[late], its[late]);
}

int main(int argc, char** argv) {
  MPI_Comm served, native;
  begin(&argc, &argv, 75);
  MPI_Comm_dup(MPI_COMM_WORLD, &served), MPI_Comm_dup(MPI_COMM_WORLD, &native);
  settle(served);
  for (int i = 0; i < (int)(sizeof some / sizeof *some); ++i) compare(some[i], i % 2 ? long_count : 4, served, native);
  compare(allreduce, long_count, served, native);
  MPI_Comm_free(&served), MPI_Comm_free(&native);
  return end();
}
