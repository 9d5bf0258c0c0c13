/* Two threads wait in collectives at once, each on its own communicator, both for a late rank, and so look for messages
   at once for the first time; a delete callback of MPI_COMM_SELF makes collectives after what tutti looked on is gone.
   @run 2,3 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "watch.h"

static int me, size, wrong;
static MPI_Comm comms[2], last;

static void collectives(MPI_Comm comm) {
  for (int i = 0; i < 20; ++i) {
    int sum = -1;
    if (me == 0 && i % 5 == 0) usleep(3000);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != size * (size - 1) / 2) wrong = 1;
  }
}

static void* work(void* comm) {
  collectives(*(MPI_Comm*)comm);
  return NULL;
}

static int deleted(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  collectives(last);
  if (me == 0 && !wrong) printf("ok\n");
  if (wrong) printf("WRONG: on rank %d\n", me);
  fflush(stdout);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int given, keyval;
  pthread_t other;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_dup(MPI_COMM_WORLD, &last);
  if (given == MPI_THREAD_MULTIPLE) {
    pthread_create(&other, NULL, work, &comms[1]);
    collectives(comms[0]);
    pthread_join(other, NULL);
  }
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
  MPI_Finalize();
  return wrong;
}
