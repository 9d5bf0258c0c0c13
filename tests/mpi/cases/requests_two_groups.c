/* Nonblocking and persistent collectives on an intercommunicator are the MPI's own, however many are called, and
   whatever the groups' sizes.  mpi4py's tests agree there by MPI_Iallreduce.
   @run 2,3,4,5,7 */
#include "requests.h"

int main(int argc, char** argv) {
  begin(&argc, &argv, 60);
  const int lower = (size + 1) / 2, mine = me < lower, others = mine ? size - lower : lower;
  MPI_Comm half, both;
  MPI_Comm_split(MPI_COMM_WORLD, mine, me, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, mine ? lower : 0, 5, &both);
  for (int turn = 0; turn < 40; ++turn) {
    int value = turn + me, sum = -1, expected = 0;
    for (int rank = 0; rank < size; ++rank)
      if ((rank < lower) != mine) expected += turn + rank;
    MPI_Request requests[2];
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, both, &requests[0]);
    MPI_Ibarrier(both, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (sum != expected) complain("turn %d: %d instead of %d of %d others", turn, sum, expected, others);
  }
  MPI_Comm_free(&both), MPI_Comm_free(&half);
  return end();
}
