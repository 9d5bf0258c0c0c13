/* Programs that hang, one a word on the command line; tests/mpi/hangs.py says what the report on each must name.

   Each rank says `there` right before it hangs, or before it waits for who does.  A line that the report has to name
   ends with a comment that begins with @. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size;
static double in[64], out[256];
static volatile double sink;

static void there(void) {
  char line[32];
  const int length = snprintf(line, sizeof line, "there %d\n", rank);
  if (write(STDOUT_FILENO, line, (size_t)length) != length) _exit(3);
}

static void compute(void) {
  for (;;) sink += 1; /* @compute */
}

static void doze(void) {
  for (;;) sleep(1000); /* @doze */
}

static void receive_for_ever(void) {
  MPI_Recv(out, 1, MPI_DOUBLE, (rank + 1) % size, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @recv */
}

static void barrier(MPI_Comm comm) { MPI_Barrier(comm); /* @barrier */ }

static void sum(int times) {
  for (int i = 0; i < times; ++i) MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* @sum */
}

static void computing(void) {
  there();
  if (rank == 1) compute();
  barrier(MPI_COMM_WORLD);
}

static void receiving(void) {
  there();
  if (rank == 0) receive_for_ever();
  sum(1);
}

static void sending(void) {
  there();
  if (rank == 0) MPI_Ssend(in, 1, MPI_DOUBLE, 1, 78, MPI_COMM_WORLD);   /* @ssend */
  MPI_Allgather(in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, MPI_COMM_WORLD); /* @allgather */
}

static void sleeping(void) {
  there();
  if (rank == size - 1) doze();
  MPI_Bcast(out, 4, MPI_DOUBLE, size - 1, MPI_COMM_WORLD); /* @bcast */
}

static void polling(void) {
  there();
  int flag = 0;
  while (rank == 1 && !flag) MPI_Iprobe(MPI_ANY_SOURCE, 79, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* @iprobe */
  MPI_Alltoall(in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, MPI_COMM_WORLD);                                 /* @alltoall */
}

static void reading(void) {
  int ends[2];
  char byte;
  if (pipe(ends) != 0) _exit(3);
  there();
  if (rank == 1 && read(ends[0], &byte, 1) < 0) _exit(3); /* @read */
  barrier(MPI_COMM_WORLD);
}

static void stopping(void) {
  there();
  if (rank == 1) raise(SIGSTOP);
  barrier(MPI_COMM_WORLD);
}

static void ending(void) {
  there();
  if (rank == 1) _exit(0);
  barrier(MPI_COMM_WORLD);
}

static void other_collective(void) {
  if (rank == 0)
    MPI_Barrier(MPI_COMM_WORLD); /* @other.barrier */
  else
    MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* @other.allreduce */
  there();
  if (rank == 1) doze();
  barrier(MPI_COMM_WORLD);
}

static void other_root(void) {
  there();
  MPI_Bcast(out, 1, MPI_DOUBLE, rank == 1, MPI_COMM_WORLD); /* @other.root */
  if (rank == 1) doze();
  barrier(MPI_COMM_WORLD);
}

static void other_operator(void) {
  MPI_Allreduce(in, out, 1, MPI_DOUBLE, rank == 1 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD); /* @other.op */
  there();
  if (rank == 1) doze();
  barrier(MPI_COMM_WORLD);
}

static void crossed(void) {
  MPI_Comm a, b;
  MPI_Comm_dup(MPI_COMM_WORLD, &a);
  MPI_Comm_dup(MPI_COMM_WORLD, &b);
  there();
  MPI_Barrier(rank == 0 ? a : b); /* @crossed.first */
  MPI_Barrier(rank == 0 ? b : a);
}

static void crossed_served(void) {
  MPI_Comm a;
  MPI_Comm_dup(MPI_COMM_WORLD, &a);
  for (int i = 0; i < 6; ++i) MPI_Barrier(a);
  there();
  if (rank == 0) MPI_Barrier(a); /* @crossed.a */
  sum(1);
  if (rank != 0) MPI_Barrier(a);
}

static void in_half(void) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Barrier(half);
  there();
  if (rank == 3) receive_for_ever();
  if (rank == 1) MPI_Reduce(in, out, 2, MPI_DOUBLE, MPI_SUM, 0, half); /* @half.reduce */
  barrier(MPI_COMM_WORLD);
}

static void chain(void) {
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &pair);
  there();
  if (rank == 1) MPI_Barrier(pair); /* @chain.pair */
  if (rank == 2) compute();
  barrier(MPI_COMM_WORLD);
}

static void nonblocking(void) {
  MPI_Request request;
  there();
  if (rank == 1) compute();
  MPI_Iallreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request); /* @iallreduce */
  MPI_Wait(&request, MPI_STATUS_IGNORE);                                     /* @wait */
}

static void splitting(void) {
  MPI_Comm half;
  there();
  if (rank == 1) doze();
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &half); /* @split */
}

static void dup_or_barrier(void) {
  MPI_Comm copy;
  there();
  if (rank == 0) MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* @dup */
  barrier(MPI_COMM_WORLD);
  if (rank != 0) doze();
}

static void finalizing(void) {
  there();
  if (rank == 0) MPI_Finalize(); /* @finalize */
  barrier(MPI_COMM_WORLD);
}

static void finalize_alone(void) {
  there();
  if (rank == 0) doze();
  MPI_Finalize(); /* @finalize.others */
}

static void left_loop(void) {
  for (int i = 0; i < 300; ++i) {
    if (i == 299) {
      there();
      if (rank == 1) receive_for_ever();
    }
    sum(1);
  }
}

static void left_early(void) {
  there();
  if (rank == size - 1) compute();
  MPI_Reduce(in, out, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /* @reduce */
  barrier(MPI_COMM_WORLD);
}

static void gathering(void) {
  there();
  if (rank == 0) doze();
  MPI_Gather(in, 8, MPI_DOUBLE, out, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* @gather */
  barrier(MPI_COMM_WORLD);
}

static MPI_Comm of_thread[2];

static void* second(void* unused) {
  for (int i = 0; i < 8; ++i) MPI_Barrier(of_thread[1]);
  if (rank == 1) compute();
  MPI_Barrier(of_thread[1]); /* @second */
  return unused;
}

static void threads(void) {
  pthread_t thread;
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &of_thread[i]);
  pthread_create(&thread, NULL, second, NULL);
  for (int i = 0; i < 8; ++i) MPI_Barrier(of_thread[0]);
  there();
  pthread_join(thread, NULL);
}

static const struct {
  const char* name;
  void (*run)(void);
  int before; /* collectives: from the fourth on tutti serves */
} hangs[] = {{"computing", computing, 6},
             {"receiving", receiving, 6},
             {"sending", sending, 2},
             {"sleeping", sleeping, 6},
             {"polling", polling, 6},
             {"reading", reading, 6},
             {"stopping", stopping, 6},
             {"ending", ending, 6},
             {"other_collective", other_collective, 6},
             {"other_root", other_root, 6},
             {"other_operator", other_operator, 6},
             {"crossed", crossed, 0},
             {"crossed_served", crossed_served, 6},
             {"in_half", in_half, 6},
             {"chain", chain, 0},
             {"nonblocking", nonblocking, 6},
             {"splitting", splitting, 6},
             {"dup_or_barrier", dup_or_barrier, 2},
             {"finalizing", finalizing, 6},
             {"finalize_alone", finalize_alone, 6},
             {"left_loop", left_loop, 0},
             {"left_early", left_early, 6},
             {"gathering", gathering, 6},
             {"threads", threads, 0},
             {"first_call", computing, 0},
             {"native", receiving, 6},
             {"without", computing, 0}};

/* The rank, before MPI tells it. */
static int rank_by_launcher(void) {
  const char* const said = getenv("PMI_RANK") ? getenv("PMI_RANK") : getenv("PMIX_RANK");
  return said ? atoi(said) : -1;
}

int main(int argc, char** argv) {
  const char* const name = argc > 1 ? argv[1] : "";
  if (!strcmp(name, "without") && rank_by_launcher() == 1 && getenv("LD_PRELOAD")) {
    unsetenv("LD_PRELOAD");
    execv(argv[0], argv);
  }
  int given;
  MPI_Init_thread(&argc, &argv, strcmp(name, "threads") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (size_t i = 0; i < sizeof hangs / sizeof *hangs; ++i) {
    if (strcmp(hangs[i].name, name)) continue;
    sum(hangs[i].before);
    hangs[i].run();
    doze();
  }
  fprintf(stderr, "no hang is called %s\n", name);
  return 2;
}
