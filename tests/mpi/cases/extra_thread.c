/* Being served leaves no thread behind: what asks for a single-threaded process (unshare of a user namespace, setns)
   would fail from then on.
   @run 2 */
#include <mpi.h>
#include <stdio.h>

static int threads(void) {
  char line[256];
  int number = -1;
  FILE* file = fopen("/proc/self/status", "r");
  if (!file) return -1;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "Threads: %d", &number) == 1) break;
  fclose(file);
  return number;
}

int main(int argc, char** argv) {
  int me, sum = 0, one = 1, before, after, wrong, any = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (int i = 0; i < 3; ++i) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  before = threads();
  for (int i = 0; i < 10; ++i) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  after = threads();
  wrong = after != before;
  if (wrong) printf("WRONG: rank %d had %d threads, and has %d\n", me, before, after);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
