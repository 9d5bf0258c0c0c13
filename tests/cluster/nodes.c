/* nodes [exit STATUS | wait]: where each rank is, as rank 0 prints it: "rank R on HOST, I of N there", by the host's
   name and by MPI_Comm_split_type.  Then collectives whose results are known, long enough for several packets. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { name_length = 64, count = 5000, calls = 12 };

typedef struct {
  char host[name_length];
  int rank, size; /* among those that share memory */
} Place;

static void tell(int me, int size) {
  Place mine = {"", 0, 0};
  MPI_Comm node;
  gethostname(mine.host, name_length - 1);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &mine.rank);
  MPI_Comm_size(node, &mine.size);
  MPI_Comm_free(&node);
  Place* all = malloc((size_t)size * sizeof mine);
  MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int i = 0; me == 0 && i < size; ++i)
    printf("rank %d on %s, %d of %d there\n", i, all[i].host, all[i].rank, all[i].size);
  fflush(stdout);
  free(all);
}

static int wrong_results(int me, int size) {
  int wrong = 0;
  static int values[count], sums[count];
  for (int call = 0; call < calls; ++call) {
    const int root = call % size;
    for (int i = 0; i < count; ++i) values[i] = me == root ? call + i : -1;
    MPI_Bcast(values, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) wrong += values[i] != call + i;
    for (int i = 0; i < count; ++i) values[i] = me + i;
    MPI_Allreduce(values, sums, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) wrong += sums[i] != size * (size - 1) / 2 + size * i;
  }
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me, size, total = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  tell(me, size);
  if (argc > 1 && strcmp(argv[1], "wait") == 0) pause();
  const int wrong = wrong_results(me, size);
  MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) printf("nodes: %s\n", total == 0 ? "right" : "WRONG results");
  MPI_Finalize();
  return argc > 2 && strcmp(argv[1], "exit") == 0 ? atoi(argv[2]) : 0;
}
