/* Threads make types and operators, use them and free them, each on a communicator of its own, so that a handle that
   one thread has freed is another's the moment after, with another meaning: what a call knows of a type or an operator
   is of the one that it was given.
   @run 2,3
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_ALLREDUCE=node(recursive_doubling) */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#include "watch.h"

enum { threads = 4, rounds = 40, most = 8 };
static MPI_Comm comms[threads];
static pthread_barrier_t together;
static int me, size, wrong = 0;

/* The operators count in the units of the user's types: `count` structures of one to eight integers. */
static int integers(MPI_Datatype type) {
  int bytes;
  MPI_Type_size(type, &bytes);
  return bytes / (int)sizeof(int);
}

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  for (int i = 0; i < *count * integers(*type); ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static void larger(void* in, void* inout, int* count, MPI_Datatype* type) {
  for (int i = 0; i < *count * integers(*type); ++i)
    if (((int*)in)[i] > ((int*)inout)[i]) ((int*)inout)[i] = ((int*)in)[i];
}

/* Turn `round` of thread `which`: `length` integers an element, added or compared. */
static void turn(long which, int round) {
  const int length = 1 + (int)(which + round) % most, adds = (which + round / 3) % 2 == 0;
  int in[3 * most], out[3 * most];
  MPI_Datatype type;
  MPI_Op op;
  MPI_Type_contiguous(length, MPI_INT, &type), MPI_Type_commit(&type);
  MPI_Op_create(adds ? add : larger, 1, &op);
  for (int i = 0; i < 3 * most; ++i) in[i] = me * 100 + i, out[i] = -1;
  MPI_Allreduce(in, out, 3, type, op, comms[which]);
  for (int i = 0; i < 3 * most; ++i) {
    const int sum = 100 * size * (size - 1) / 2 + size * i, greatest = 100 * (size - 1) + i;
    const int due = i >= 3 * length ? -1 : adds ? sum : greatest;
    if (out[i] != due) wrong = 1, printf("WRONG: thread %ld, round %d: %d, not %d\n", which, round, out[i], due);
  }
  MPI_Bcast(in, 3, type, size - 1, comms[which]);
  for (int i = 0; i < 3 * length; ++i)
    if (in[i] != (size - 1) * 100 + i) wrong = 1, printf("WRONG: thread %ld, round %d: bcast\n", which, round);
  MPI_Op_free(&op), MPI_Type_free(&type);
}

static void* work(void* which) {
  for (int i = 0; i < 4; ++i) MPI_Barrier(comms[(long)which]); /* the communicator is agreed on */
  for (int round = 0; round < rounds; ++round) {
    if (round % 8 == 0) pthread_barrier_wait(&together);
    turn((long)which, round);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided, any = 0;
  pthread_t started[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  watch(60);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  if (provided == MPI_THREAD_MULTIPLE) {
    pthread_barrier_init(&together, NULL, threads);
    for (long i = 0; i < threads; ++i) pthread_create(&started[i], NULL, work, (void*)i);
    for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
  }
  for (int i = 0; i < threads; ++i) MPI_Comm_free(&comms[i]);
  PMPI_Reduce(&wrong, &any, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return wrong;
}
