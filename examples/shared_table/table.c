/* One table for all ranks of a node: the root reads it, all look things up in it.

     mpicc table.c $(pkg-config --cflags --libs tutti) -o table      (PKG_CONFIG_PATH: docs/shared-results.md)
     mpiexec -n 4 ./table */
#include <stdio.h>
#include <stdlib.h>

#include "tutti/shared.h"

enum { entries = 1 << 20 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  double* squares = NULL; /* only the root's counts */
  if (rank == 0) {
    squares = malloc(entries * sizeof *squares);
    for (int i = 0; i < entries; ++i) squares[i] = (double)i * i;
  }
  const double* table = NULL;
  tutti_bcast_shared(squares, entries, MPI_DOUBLE, 0, MPI_COMM_WORLD, TUTTI_READ_ONLY, &table);
  free(squares);

  const char* why;
  const int shared = tutti_result_kind(table, &why) == TUTTI_RESULT_SHARED;
  printf("rank %d: 1000 squared is %.0f; %s%s\n", rank, table[1000], shared ? "shared" : "private: ", why);
  const int right = table[1000] == 1e6 && table[entries - 1] == (entries - 1.0) * (entries - 1.0);

  tutti_free((void*)table); /* each rank when it likes */
  MPI_Finalize();
  return right ? 0 : 1;
}
