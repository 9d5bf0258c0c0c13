/* Threads meet types and operators for the first time at the same moment, each on a communicator of its own: the MPI's
   types that nobody has used yet, Fortran's of a size, and types of the user's, short-lived ones among them.
   @run 2,3 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#include "watch.h"

enum { threads = 4, rounds = 6, kinds = 9 };
static MPI_Comm comms[threads];
static MPI_Datatype types[kinds], gap;
static pthread_barrier_t together;
static int me, size, wrong = 0;

static void* work(void* which) {
  const MPI_Comm comm = comms[(long)which];
  for (int i = 0; i < 4; ++i) MPI_Barrier(comm); /* the communicator is agreed on */
  for (int round = 0; round < rounds; ++round)
    for (int kind = 0; kind < kinds; ++kind) {
      long long in[64] = {0}, out[64];
      int bytes = 0;
      pthread_barrier_wait(&together);
      MPI_Type_size(types[kind], &bytes);
      if (bytes <= 0) continue;
      for (int i = 0; i < 64; ++i) out[i] = -1;
      for (int i = 0; i < 8 * bytes; ++i) ((unsigned char*)in)[i] = (unsigned char)(me == 0 ? i + kind : 0);
      for (int i = 0; i < 64; ++i) out[i] = in[i];
      MPI_Bcast(out, 8, types[kind], 0, comm);
      for (int i = 0; i < 8 * bytes; ++i)
        if (((unsigned char*)out)[i] != (unsigned char)(i + kind))
          wrong = 1, printf("WRONG: bcast of kind %d\n", kind), i = 8 * bytes;
      for (int i = 0; i < 8 * bytes; ++i) ((unsigned char*)in)[i] = 0;
      MPI_Allreduce(in, out, 8, types[kind], MPI_SUM, comm);
      for (int i = 0; i < 8 * bytes; ++i)
        if (((unsigned char*)out)[i] != 0) wrong = 1, printf("WRONG: sum of kind %d\n", kind), i = 8 * bytes;
      /* One type that all threads meet, and one that this thread alone has for a moment. */
      MPI_Datatype own;
      MPI_Type_vector(2, 1, 2, MPI_INT, &own), MPI_Type_commit(&own);
      int data[6] = {me == 0 ? round : -1, 7, me == 0 ? kind : -1, me == 0 ? 3 : -1, 7, me == 0 ? 4 : -1};
      MPI_Bcast(data, 1, gap, 0, comm);
      if (data[0] != round || data[1] != 7 || data[2] != kind) wrong = 1, printf("WRONG: shared type\n");
      MPI_Bcast(data + 3, 1, own, 0, comm);
      if (data[3] != 3 || data[4] != 7 || data[5] != 4) wrong = 1, printf("WRONG: own type\n");
      MPI_Type_free(&own);
    }
  return NULL;
}

int main(int argc, char** argv) {
  int provided, any = 0;
  pthread_t started[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  watch(60);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  const MPI_Datatype of_the_mpi[kinds] = {MPI_LONG_LONG, MPI_UINT16_T, MPI_CHAR,  MPI_FLOAT,   MPI_INT8_T,
                                          MPI_INTEGER4,  MPI_REAL8,    MPI_REAL4, MPI_INTEGER2};
  for (int i = 0; i < kinds; ++i) types[i] = of_the_mpi[i];
  MPI_Type_vector(2, 1, 2, MPI_INT, &gap), MPI_Type_commit(&gap);
  for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  if (provided == MPI_THREAD_MULTIPLE) {
    pthread_barrier_init(&together, NULL, threads);
    for (long i = 0; i < threads; ++i) pthread_create(&started[i], NULL, work, (void*)i);
    for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
  }
  for (int i = 0; i < threads; ++i) MPI_Comm_free(&comms[i]);
  MPI_Type_free(&gap);
  PMPI_Reduce(&wrong, &any, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return wrong;
}
