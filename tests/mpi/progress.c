/* Rank 0 sends 16 MiB without waiting and enters a collective; rank 1 receives first, then enters it.  Where the
   library moves a large message only while its sender calls it, this ends only if whoever waits in the collective
   makes progress.  After each collective in turn; many rounds, the sender changing. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { bytes = 16 << 20 };

static void collective(int kind, int value, MPI_Comm comm) {
  int sum = value;
  switch (kind) {
    case 0:
      MPI_Barrier(comm);
      break;
    case 1:
      MPI_Bcast(&sum, 1, MPI_INT, 0, comm);
      break;
    case 2:
      MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
      break;
    case 3:
      MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
      break;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char* data = calloc(bytes, 1);
  for (int i = 0; i < 8; ++i) MPI_Barrier(MPI_COMM_WORLD); /* activation */
  for (int round = 0; round < 8; ++round) {
    const int sender = round % 2, receiver = 1 - sender;
    MPI_Request request = MPI_REQUEST_NULL;
    if (me == sender) {
      data[0] = (char)(round + 1);
      MPI_Isend(data, bytes, MPI_BYTE, receiver, 7, MPI_COMM_WORLD, &request);
    }
    if (me == receiver) {
      MPI_Recv(data, bytes, MPI_BYTE, sender, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (data[0] != round + 1) {
        fprintf(stderr, "wrong data in round %d\n", round);
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
    }
    collective(round / 2 % 4, me, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (me == 0) printf("progress: done\n");
  free(data);
  MPI_Finalize();
  return 0;
}
