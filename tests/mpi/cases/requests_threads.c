/* Threads, each with a communicator of its own, start and complete nonblocking collectives and messages; then a thread
   completes what another has started, and all wait for their requests while one thread makes blocking calls.
   @run 1,2,3
   @run 2,3 TUTTI_PRETEND_NODES=block:1 WIRES=nodes */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

#include "requests.h"
#include "requests_jobs.h"

enum { threads = 4, rounds = 40, few = 5 };
static MPI_Comm comms[threads];
static pthread_barrier_t together;
static struct job* handed[threads][few];
static MPI_Request requests[threads][few];

static void begin_round(int thread, int round) {
  for (int i = 0; i < few; ++i) {
    const enum collective which = (enum collective)((thread + 3 * i + round) % collectives);
    handed[thread][i] = job_new(which, comms[thread], round % 3 ? 6 : 4000, round + i, 0);
    job_start(handed[thread][i], &requests[thread][i]);
  }
}

static void complete_round(int thread, int round) {
  MPI_Request* mine = requests[thread];
  int index = 0, flag = 0;
  if (round % 4 == 0) MPI_Waitall(few, mine, MPI_STATUSES_IGNORE);
  for (int i = 0; i < few && round % 4 == 1; ++i) MPI_Waitany(few, mine, &index, MPI_STATUS_IGNORE);
  while (round % 4 == 2 && !flag) MPI_Testall(few, mine, &flag, MPI_STATUSES_IGNORE);
  for (int i = few - 1; i >= 0 && round % 4 == 3; --i) MPI_Wait(&mine[i], MPI_STATUS_IGNORE);
  for (int i = 0; i < few; ++i) {
    if (mine[i] != MPI_REQUEST_NULL) complain("thread %d, round %d: request %d is left", thread, round, i);
    job_check(handed[thread][i], "threads"), job_free(handed[thread][i]);
  }
}

static void messages(int thread, int round) {
  MPI_Request pair[2];
  int out = me + round, in = -1;
  const int previous = (me + size - 1) % size;
  MPI_Irecv(&in, 1, MPI_INT, previous, 3, comms[thread], &pair[0]);
  MPI_Isend(&out, 1, MPI_INT, (me + 1) % size, 3, comms[thread], &pair[1]);
  MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
  if (in != previous + round) complain("thread %d, round %d: message %d", thread, round, in);
}

static void* work(void* which) {
  const int thread = (int)(long)which;
  for (int round = 0; round < rounds; ++round) {
    begin_round(thread, round);
    if (round % 2) messages(thread, round);
    if (round % 5 == 0) MPI_Barrier(comms[thread]);
    complete_round(thread, round);
  }
  for (int round = 0; round < rounds; ++round) {
    begin_round(thread, round);
    pthread_barrier_wait(&together);
    complete_round((thread + 1) % threads, round); /* the next thread's */
    pthread_barrier_wait(&together);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  pthread_t started[threads];
  choose_wires();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  watch(60);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]), set_up_wires(comms[i]);
  if (provided == MPI_THREAD_MULTIPLE) {
    pthread_barrier_init(&together, NULL, threads);
    for (long i = 0; i < threads; ++i) pthread_create(&started[i], NULL, work, (void*)i);
    for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
  }
  for (int i = 0; i < threads; ++i) MPI_Comm_free(&comms[i]);
  return end();
}
