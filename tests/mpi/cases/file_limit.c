/* RLIMIT_FSIZE (ulimit -f), set by the program: beyond it the kernel sends SIGXFSZ, for shared memory as well.  New
   communicators are used all the same, and the log that tutti is asked for does not end the program either.
   @run[openmpi,impi,debian-mpich] 2,3 4096
   @run[openmpi,impi,debian-mpich] 2,3 65536
   @run[openmpi,impi,debian-mpich] 2 0
   @run[openmpi,impi,debian-mpich] 2 4096 TUTTI_PATIENCE=5 */
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "watch.h"

static volatile sig_atomic_t signals;
static void over(int number) { (void)number, ++signals; }

int main(int argc, char** argv) {
  int me, size, wrong = 0;
  char log[64];
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(log, sizeof log, "/tmp/tutti_file_limit.%d", (int)getpid());
  setenv("TUTTI_LOG", log, 1);
  struct rlimit limit, was;
  getrlimit(RLIMIT_FSIZE, &was);
  limit = was;
  limit.rlim_cur = argc > 1 ? (rlim_t)atol(argv[1]) : 4096;
  setrlimit(RLIMIT_FSIZE, &limit);
  if (me == 0) signal(SIGXFSZ, over); /* on the others it would end the program */
  for (int i = 0; i < 3; ++i) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, i == 1 ? -me : me, &comm);
    for (int k = 0; k < 12; ++k) {
      int sum = -1;
      MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
      wrong |= sum != size * (size - 1) / 2;
    }
    MPI_Comm_free(&comm);
  }
  setrlimit(RLIMIT_FSIZE, &was);
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, NULL, &blocked);
  wrong |= signals != 0 || sigismember(&blocked, SIGXFSZ);
  if (wrong) printf("WRONG: rank %d, %d signals\n", me, (int)signals);
  unlink(log);
  if (me == 0 && !wrong) printf("ok\n");
  fflush(stdout);
  MPI_Finalize();
  return wrong;
}
