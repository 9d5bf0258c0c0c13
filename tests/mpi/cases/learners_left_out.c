/* TUTTI_LEARN reaches the engine: with `joint` both sides of a long block copy it, without it the root alone does.
   Where the kernel refuses either, nobody copies so.
   @run 2 joint TUTTI_GATHER=node(single_copy=4K)
   @run 2 joint TUTTI_GATHER=node(single_copy=4K) TUTTI_LEARN=joint
   @run 2 alone TUTTI_GATHER=node(single_copy=4K) TUTTI_LEARN=none
   @run 2 alone TUTTI_GATHER=node(single_copy=4K) TUTTI_LEARN=stores,brief,landings,copies,spread */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "watch.h"

enum { bytes = 1 << 20, calls = 300 };

static long reads, writes;

ssize_t process_vm_readv(pid_t process, const struct iovec* into, unsigned long intos, const struct iovec* from,
                         unsigned long froms, unsigned long flags) {
  const ssize_t done = syscall(SYS_process_vm_readv, process, into, intos, from, froms, flags);
  if (done > 64) ++reads, usleep(50); /* less is the trial's; slow enough that the other side comes for a piece */
  return done;
}

ssize_t process_vm_writev(pid_t process, const struct iovec* from, unsigned long froms, const struct iovec* into,
                          unsigned long intos, unsigned long flags) {
  const ssize_t done = syscall(SYS_process_vm_writev, process, from, froms, into, intos, flags);
  writes += done > 0;
  return done;
}

int main(int argc, char** argv) {
  int me, wrong = 0;
  long counts[2], all[2];
  MPI_Init(&argc, &argv);
  watch(60);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const int joint = argc > 1 && !strcmp(argv[1], "joint");
  char *const mine = malloc(bytes), *const both = malloc(2 * bytes);
  for (int call = 0; call < calls; ++call) {
    if (call < 10) MPI_Barrier(MPI_COMM_WORLD); /* a gather alone never makes a communicator served */
    if (call == 10) reads = writes = 0;         /* the MPI library's own calls are over */
    memset(mine, 1 + (call + me) % 100, bytes);
    MPI_Gather(mine, bytes, MPI_CHAR, both, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int rank = 0; me == 0 && rank < 2; ++rank)
      for (int i = 0; i < bytes; i += 4093) wrong |= both[rank * bytes + i] != 1 + (call + rank) % 100;
  }
  counts[0] = reads, counts[1] = writes;
  MPI_Allreduce(counts, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (wrong) printf("WRONG: rank %d got other bytes\n", me);
  if (all[0] != 0 && (all[1] != 0) != joint) wrong = 1, printf("WRONG: %ld reads, %ld writes\n", all[0], all[1]);
  if (me == 0 && !wrong) printf("ok\n");
  free(mine), free(both);
  fflush(stdout);
  MPI_Finalize();
  return wrong;
}
