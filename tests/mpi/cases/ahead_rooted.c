/* A thousand short rooted calls by those who have nothing to wait for in them, and then messages; the others wait for
   these first. Eager messages of every MPI let them: the root of a bcast and of a scatter waits for nobody, nor do the
   others in a reduce and a gather.
   @run 2,3,5 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "watch.h"

enum { calls = 1000, most = 16 };
enum kind { bcast, scatter, reduce, gather, kinds };

static int me, size, wrong = 0;

static void expect(long found, long right, enum kind kind, int call) {
  if (found == right || wrong++ > 3) return;
  printf("WRONG: kind %d, call %d, rank %d: %ld, not %ld\n", (int)kind, call, me, found, right);
}

static void one_call(enum kind kind, int root, int call) {
  long all[most], one = 1000L * call + me, sum = -1;
  for (int i = 0; i < size; ++i) all[i] = 1000L * call + i;
  switch (kind) {
    case bcast:
      one = me == root ? call : -1;
      MPI_Bcast(&one, 1, MPI_LONG, root, MPI_COMM_WORLD);
      expect(one, call, kind, call);
      break;
    case scatter:
      MPI_Scatter(all, 1, MPI_LONG, &one, 1, MPI_LONG, root, MPI_COMM_WORLD);
      expect(one, 1000L * call + me, kind, call);
      break;
    case reduce:
      MPI_Reduce(&one, &sum, 1, MPI_LONG, MPI_SUM, root, MPI_COMM_WORLD);
      if (me == root) expect(sum, 1000L * call * size + size * (size - 1) / 2, kind, call);
      break;
    default:
      for (int i = 0; i < size; ++i) all[i] = -1;
      MPI_Gather(&one, 1, MPI_LONG, all, 1, MPI_LONG, root, MPI_COMM_WORLD);
      for (int i = 0; me == root && i < size; ++i) expect(all[i], 1000L * call + i, kind, call);
  }
}

/* Leaders send to each of the others once they are complete; these receive before they begin. */
static void run(enum kind kind, int root) {
  const int root_leads = kind == bcast || kind == scatter, leads = (me == root) == root_leads;
  int word = 0;
  for (int from = 0; !leads && from < size; ++from)
    if ((from == root) == root_leads) MPI_Recv(&word, 1, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int call = 0; call < calls; ++call) one_call(kind, root, call);
  for (int to = 0; leads && to < size; ++to)
    if ((to == root) != root_leads) MPI_Send(&word, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int any = 0;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (int kind = 0; kind < kinds; ++kind) {
    run((enum kind)kind, 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any != 0;
}
