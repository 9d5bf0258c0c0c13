/* What a table that all ranks read costs: MPI_Bcast into each rank's own memory, then tutti_bcast_shared.  Memory is
   the proportional set size (pages divided by those who map them) that all ranks of the job gained together, without
   the root's source; then with it.  Every rank reads all of its table. `shared_memory MIB` prints "native: S s, M MiB"
   and "shared: S s, M MiB, with the source N MiB". */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/shared.h"

static int me;
static size_t bytes;

/* Kilobytes that this process answers for. */
static double proportional(void) {
  char line[256];
  long found = 0;
  FILE* file = fopen("/proc/self/smaps_rollup", "r");
  while (file && fgets(line, sizeof line, file)) sscanf(line, "Pss: %ld kB", &found);
  if (file) fclose(file);
  return (double)found;
}

static double together(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static uint64_t sum_of(const uint64_t* table) {
  uint64_t sum = 0;
  for (size_t i = 0; i < bytes / sizeof *table; ++i) sum += table[i];
  return sum;
}

static void fill(uint64_t* table) {
  for (size_t i = 0; i < bytes / sizeof *table; ++i) table[i] = i * 0x9E3779B97F4A7C15u;
}

/* Seconds of the slowest rank. */
static double since(double start) {
  double mine = MPI_Wtime() - start, slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static double started(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

static double settled(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double all = together(proportional());
  MPI_Barrier(MPI_COMM_WORLD);
  return all;
}

static uint64_t native(void) {
  const double before = settled(), start = started();
  uint64_t* table = malloc(bytes);
  if (me == 0) fill(table);
  const double filled = since(start), begun = started();
  (void)filled;
  MPI_Bcast(table, (int)(bytes / sizeof *table), MPI_UINT64_T, 0, MPI_COMM_WORLD);
  const double seconds = since(begun);
  const uint64_t sum = sum_of(table);
  const double gained = settled() - before;
  if (me == 0) printf("native: %.3f s, %.0f MiB\n", seconds, gained / 1024);
  free(table);
  return sum;
}

static uint64_t shared(void) {
  uint64_t* table = NULL;
  const double before = settled();
  uint64_t* source = me == 0 ? malloc(bytes) : NULL;
  if (source) fill(source);
  const double begun = started();
  tutti_bcast_shared(source, (MPI_Count)(bytes / sizeof *table), MPI_UINT64_T, 0, MPI_COMM_WORLD, TUTTI_READ_ONLY,
                     &table);
  const double seconds = since(begun);
  const uint64_t sum = sum_of(table);
  const double with_source = settled() - before;
  free(source);
  const double gained = settled() - before;
  if (me == 0)
    printf("shared: %.3f s, %.0f MiB, with the source %.0f MiB\n", seconds, gained / 1024, with_source / 1024);
  tutti_free(table);
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  bytes = (size_t)(argc > 1 ? atoi(argv[1]) : 32) << 20;
  for (int i = 0; i < 5; ++i) MPI_Barrier(MPI_COMM_WORLD); /* connections and engines are made before the first look */
  void* small = NULL;
  tutti_bcast_shared(&me, 1, MPI_INT, 0, MPI_COMM_WORLD, TUTTI_READ_ONLY, &small);
  tutti_free(small);
  const int differ = native() != shared();
  int any = 0;
  MPI_Allreduce(&differ, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("shared memory: right\n");
  MPI_Finalize();
  return any;
}
