/* The first intercepted calls of a process, from many threads at once.  Prints `threads: right`. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { threads = 8, calls = 50 };

static pthread_barrier_t together;

struct job {
  MPI_Comm comm;
  int number, rank, size, wrong;
};

static void* work(void* argument) {
  struct job* job = argument;
  pthread_barrier_wait(&together);
  for (int i = 0; i < calls; ++i) {
    int sum = 0, value = job->rank + job->number + i;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, job->comm);
    job->wrong += sum != job->size * (job->size - 1) / 2 + job->size * (job->number + i);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided = 0, rank = 0, size = 0, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int used = provided == MPI_THREAD_MULTIPLE ? threads : 1;
  pthread_t ids[threads];
  struct job jobs[threads];
  pthread_barrier_init(&together, NULL, (unsigned)used);
  for (int i = 0; i < used; ++i) {
    jobs[i] = (struct job){.number = i, .rank = rank, .size = size};
    MPI_Comm_dup(MPI_COMM_WORLD, &jobs[i].comm);
  }
  for (int i = 0; i < used; ++i) pthread_create(&ids[i], NULL, work, &jobs[i]);
  for (int i = 0; i < used; ++i) pthread_join(ids[i], NULL), wrong += jobs[i].wrong;
  for (int i = 0; i < used; ++i) MPI_Comm_free(&jobs[i].comm);
  if (rank == 0) puts(wrong ? "threads: WRONG" : "threads: right");
  MPI_Finalize();
  return wrong != 0;
}
