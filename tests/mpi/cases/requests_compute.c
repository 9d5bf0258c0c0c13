/* A rank starts a nonblocking collective and computes for a while without a call of MPI; others complete theirs in the
   meantime if they can.  What is checked is results; the times are printed: of the start, of the wait of the rank that
   computes, and of the others.
   @run 2,3,4 */
#include "requests.h"
#include "requests_jobs.h"

static volatile double nothing;

static void compute(double seconds) {
  for (const double until = MPI_Wtime() + seconds; MPI_Wtime() < until;)
    for (int i = 0; i < 1000; ++i) nothing += i;
}

int main(int argc, char** argv) {
  static const enum collective some[] = {barrier, bcast, allreduce, reduce, allgather, alltoall};
  begin(&argc, &argv, 60);
  for (int turn = 0; turn < 6; ++turn) {
    double times[2], most[2];
    MPI_Request request;
    struct job* job = job_new(some[turn], MPI_COMM_WORLD, turn % 2 ? 100000 : 4, turn, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    const double first = MPI_Wtime();
    job_start(job, &request);
    const double started = MPI_Wtime();
    if (me == turn % size) compute(0.3);
    const double computed = MPI_Wtime();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    times[0] = started - first, times[1] = MPI_Wtime() - computed;
    job_check(job, "compute");
    MPI_Reduce(times, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (me == 0)
      printf("%s of %d: start %.1f us, wait %.0f us\n", names[some[turn]], job->count, most[0] * 1e6, most[1] * 1e6);
    job_free(job);
  }
  return end();
}
