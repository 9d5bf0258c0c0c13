/* One collective by all its names: MPI_X, PMPI_X, PMPI_X as dlsym finds it, and where the MPI has them MPI_X_c and
   PMPI_X_c. Each rank takes another name, and another one in each round.
   @run 2,3
   @run 3 TUTTI_LAYER=pmpi */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static int me, size, wrong, turn;

static void expect(const char* what, int got, int wanted) {
  if (got == wanted) return;
  wrong = 1;
  printf("WRONG: rank %d, turn %d: %s gave %d, not %d\n", me, turn, what, got, wanted);
}

static void* found(const char* name) { return dlsym(turn % 2 ? RTLD_DEFAULT : RTLD_NEXT, name); }

#if MPI_VERSION >= 4
#define LARGE(name, ...)          \
  case 3:                         \
    MPI_##name##_c(__VA_ARGS__);  \
    break;                        \
  case 4:                         \
    PMPI_##name##_c(__VA_ARGS__); \
    break;
enum { names = 5 };
#else
#define LARGE(name, ...)
enum { names = 3 };
#endif

#define CALL(name, ...)                             \
  do {                                              \
    __typeof__(&PMPI_##name) looked_up = NULL;      \
    switch ((me + turn) % names) {                  \
      case 0:                                       \
        MPI_##name(__VA_ARGS__);                    \
        break;                                      \
      case 1:                                       \
        PMPI_##name(__VA_ARGS__);                   \
        break;                                      \
        LARGE(name, __VA_ARGS__)                    \
      default:                                      \
        *(void**)&looked_up = found("PMPI_" #name); \
        looked_up(__VA_ARGS__);                     \
    }                                               \
    ++turn;                                         \
  } while (0)

int main(int argc, char** argv) {
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(world, &me);
  MPI_Comm_size(world, &size);
  for (int round = 0; round < 40; ++round) {
    const int root = round % size;
    int all[64] = {0}, one = me + round, got = -1;
    CALL(Allreduce, &one, &got, 1, MPI_INT, MPI_SUM, world);
    expect("allreduce", got, size * (size - 1) / 2 + size * round);
    CALL(Bcast, &one, 1, MPI_INT, root, world);
    expect("bcast", one, root + round);
    CALL(Reduce, &me, &got, 1, MPI_INT, MPI_MAX, root, world);
    if (me == root) expect("reduce", got, size - 1);
    CALL(Gather, &me, 1, MPI_INT, all, 1, MPI_INT, root, world);
    if (me == root) expect("gather", all[size - 1], size - 1);
    CALL(Scatter, all, 1, MPI_INT, &got, 1, MPI_INT, root, world);
    expect("scatter", got, me);
    CALL(Allgather, &me, 1, MPI_INT, all, 1, MPI_INT, world);
    expect("allgather", all[size - 1], size - 1);
    CALL(Scan, &me, &got, 1, MPI_INT, MPI_SUM, world);
    expect("scan", got, me * (me + 1) / 2);
    for (int i = 0; i < size; ++i) all[i] = 100 * me + i;
    CALL(Reduce_scatter_block, all, &got, 1, MPI_INT, MPI_MIN, world);
    expect("reduce_scatter_block", got, me);
    if ((me + round) % 2)
      PMPI_Barrier(world);
    else
      MPI_Barrier(world);
  }
  if (me == 0 && !wrong) printf("ok\n");
  fflush(stdout);
  MPI_Finalize();
  return wrong;
}
