/* Operators that MPI libraries take beyond the standard, above all MPI_CHAR with MPI_SUM, which the OSU programs
   reduce: every reduction of every type and operator that the library takes gives what the library itself gives, and on
   one node tutti serves MPI_CHAR with MPI_SUM.
   @run 2,3 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "tutti/tutti.h"
#include "watch.h"

enum { most = 64, calls = 6 };
static int me, size, wrong = 0;

/* One of the reductions, by tutti or by the library itself. */
static int reduce(int which, int ours, const void* in, void* out, int count, MPI_Datatype type, MPI_Op op) {
  int counts[64];
  for (int i = 0; i < size; ++i) counts[i] = count;
  const MPI_Comm all = MPI_COMM_WORLD;
  switch (which) {
    case 0:
      return (ours ? MPI_Reduce : PMPI_Reduce)(in, out, count, type, op, size - 1, all);
    case 1:
      return (ours ? MPI_Allreduce : PMPI_Allreduce)(in, out, count, type, op, all);
    case 2:
      return (ours ? MPI_Reduce_scatter : PMPI_Reduce_scatter)(in, out, counts, type, op, all);
    case 3:
      return (ours ? MPI_Reduce_scatter_block : PMPI_Reduce_scatter_block)(in, out, count, type, op, all);
    case 4:
      return (ours ? MPI_Scan : PMPI_Scan)(in, out, count, type, op, all);
    default:
      return (ours ? MPI_Exscan : PMPI_Exscan)(in, out, count, type, op, all);
  }
}

static void compare(const char* name, MPI_Datatype type, int bytes, MPI_Op op, int number, int round) {
  static unsigned char in[64 * most * 16], ours[64 * most * 16], theirs[64 * most * 16];
  for (int which = 0; which < calls; ++which) {
    const int count = round % 2 ? most : 5, length = count * size * bytes;
    /* No bit pattern of a real that is not a number; bytes so small that nothing overflows, where libraries saturate or
     * not. */
    for (int i = 0; i < length; ++i) {
      const int value = i * 37 + me * 101 + round * 13 + which;
      in[i] = (unsigned char)(bytes == 1 ? value % 4 : value & 0xb7);
    }
    memset(ours, 77, sizeof ours), memset(theirs, 77, sizeof theirs);
    const int mine = reduce(which, 1, in, ours, count, type, op), its = reduce(which, 0, in, theirs, count, type, op);
    if ((mine == MPI_SUCCESS) != (its == MPI_SUCCESS) || memcmp(ours, theirs, sizeof ours) != 0) {
      wrong = 1;
      printf("WRONG: rank %d: %s, operator %d, reduction %d: codes %d and %d, or other bytes\n", me, name, number,
             which, mine, its);
    }
  }
}

static void served(void) {
  static const char* const names[] = {"reduce", "allreduce", "reduce_scatter", "reduce_scatter_block",
                                      "scan",   "exscan"};
  int (*ask)(const char*, struct tutti_counters*);
  *(void**)&ask = dlsym(RTLD_DEFAULT, "tutti_get_counters");
  char in[64] = {1}, out[64];
  for (int which = 0; ask && which < calls; ++which) {
    struct tutti_counters before, after;
    ask(names[which], &before);
    for (int i = 0; i < 10; ++i) reduce(which, 1, in, out, 4, MPI_CHAR, MPI_SUM);
    ask(names[which], &after);
    if (after.node - before.node != 10)
      wrong = 1, printf("WRONG: %d of 10 %ss of MPI_CHAR were served\n", (int)(after.node - before.node), names[which]);
  }
}

int main(int argc, char** argv) {
  int any = 0;
  MPI_Init(&argc, &argv);
  watch(60);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_BYTE, MPI_WCHAR, MPI_CHARACTER, MPI_PACKED, MPI_INT};
  const char* const names[] = {"MPI_CHAR", "MPI_BYTE", "MPI_WCHAR", "MPI_CHARACTER", "MPI_PACKED", "MPI_INT"};
  for (int round = 0; round < 3; ++round)
    for (int t = 0; t < 6; ++t)
      for (int o = 0; o < 10; ++o) {
        int bytes = 0;
        if (MPI_Type_size(types[t], &bytes) == MPI_SUCCESS && bytes > 0)
          compare(names[t], types[t], bytes, ops[o], o, round);
      }
  served();
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
