/* Collectives, and MPI_Finalize, in the destructor of a global object and in a function given to atexit: after whatever
   a library that came later has registered for the end of the process.
   MPICH 5.0's own launcher kills one in three such programs of three ranks, without tutti too.
   @run 2
   @run[openmpi,impi,debian-mpich] 3
   @run 2 atexit */
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

#include "watch.h"

namespace {

int me, size, wrong = 0;
bool by_destructor = true;

void sums(MPI_Comm comm, int times) {
  for (int i = 0; i < times; ++i) {
    double mine = me + i, sum = -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    if (sum != size * (size - 1) / 2 + size * i) wrong = 1, std::printf("WRONG: sum %g in call %d\n", sum, i);
  }
}

void end() {
  MPI_Comm comm;
  int any = 0;
  sums(MPI_COMM_WORLD, 10);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  sums(comm, 10);
  MPI_Comm_free(&comm);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  for (int i = 0; i < 6; ++i) {
    int data[2] = {me == 0 ? i : -1, me == 0 ? i + 1 : -1};
    MPI_Bcast(data, 1, pair, 0, MPI_COMM_WORLD);
    if (data[0] != i || data[1] != i + 1) wrong = 1, std::printf("WRONG: bcast %d\n", i);
  }
  MPI_Type_free(&pair);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) std::printf("ok\n");
  std::fflush(stdout);
  MPI_Finalize();
}

struct Mpi {
  ~Mpi() {
    if (by_destructor) end();
  }
} global;

}  // namespace

int main(int argc, char** argv) {
  by_destructor = argc < 2;
  if (!by_destructor) std::atexit(end);
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  sums(MPI_COMM_WORLD, 10);
  return 0;
}
