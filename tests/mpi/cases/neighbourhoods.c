/* Neighbourhood collectives pass through, blocking, nonblocking and persistent ones: right results, between served
   collectives of the same communicator and with requests of ours outstanding.
   @run 1,2,3,5 */
#include "requests.h"
#include "requests_jobs.h"

enum { turns = 30 };

static void expect_around(const int* around, int turn, const char* what) {
  const int next = (me + 1) % size, previous = (me + size - 1) % size;
  if (around[0] != previous + turn || around[1] != next + turn)
    complain("%s in turn %d: %d %d", what, turn, around[0], around[1]);
}

int main(int argc, char** argv) {
  MPI_Comm ring;
  int periodic = 1;
  begin(&argc, &argv, 60);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  settle(ring);
  for (int turn = 0; turn < turns; ++turn) {
    int mine[2] = {me + turn, me + turn}, around[2] = {-1, -1}, later[2] = {-1, -1}, exchanged[2] = {-1, -1};
    MPI_Request requests[2];
    struct job* job = job_new((enum collective)(turn % collectives), ring, 30, turn, 0);
    job_start(job, &requests[0]);
    MPI_Ineighbor_allgather(mine, 1, MPI_INT, later, 1, MPI_INT, ring, &requests[1]);
    MPI_Neighbor_allgather(mine, 1, MPI_INT, around, 1, MPI_INT, ring);
    MPI_Barrier(ring);
    MPI_Neighbor_alltoall(mine, 1, MPI_INT, exchanged, 1, MPI_INT, ring);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    expect_around(around, turn, "Neighbor_allgather"), expect_around(later, turn, "Ineighbor_allgather");
    expect_around(exchanged, turn, "Neighbor_alltoall");
    job_check(job, "beside neighbours"), job_free(job);
#if HAS_PERSISTENT
    int again[2] = {-1, -1};
    MPI_Neighbor_allgather_init(mine, 1, MPI_INT, again, 1, MPI_INT, ring, MPI_INFO_NULL, &requests[0]);
    MPI_Start(&requests[0]), MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    expect_around(again, turn, "Neighbor_allgather_init");
    MPI_Request_free(&requests[0]);
#endif
  }
  MPI_Comm_free(&ring);
  return end();
}
