/* looks BYTES: a message sent before a barrier is found by the first look after it, MPI_Iprobe or MPI_Improbe.  Open
   MPI's own barrier promises this by what it does; a barrier that moves no messages has to make up for it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 300 };

static int probe(char* data, int bytes, int tag) {
  int found = 0;
  MPI_Iprobe(0, tag, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  MPI_Recv(data, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return found;
}

static int matched_probe(char* data, int bytes, int tag) {
  int found = 0;
  MPI_Message message;
  MPI_Improbe(0, tag, MPI_COMM_WORLD, &found, &message, MPI_STATUS_IGNORE);
  if (found)
    MPI_Mrecv(data, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  else
    MPI_Recv(data, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return found;
}

static int missed(char* data, int bytes, int me) {
  int misses = 0;
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (me == 0) MPI_Isend(data, bytes, MPI_BYTE, 1, round % 7, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 1) misses += !(round % 2 ? probe : matched_probe)(data, bytes, round % 7);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return misses;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const int bytes = argc > 1 ? atoi(argv[1]) : 8;
  char* data = calloc(bytes, 1);
  for (int i = 0; i < 8; ++i) MPI_Barrier(MPI_COMM_WORLD); /* activation */
  const int misses = missed(data, bytes, me);
  if (me == 1) printf("looks: %d of %d found nothing\n", misses, rounds);
  free(data);
  MPI_Finalize();
  return 0;
}
