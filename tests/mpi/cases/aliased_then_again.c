/* One rank gives the same buffer twice in reductions and gathers, which some MPIs refuse on that rank alone, and makes
   the call again, as it should be; the others have made one call.  Before the ranks of a communicator have agreed on
   how to be served, and after it, also where the same call has been made many times.
   @run 2,3
   @run 3 handler */
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

enum { most = 64 };
static int me, size, wrong = 0, handled = 0;

static void handler(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handled;
}

/* Whether this MPI refuses the mistake, found out where nobody waits; the call is then made again by the one who erred.
 */
enum { kinds = 5 };
static int refused[kinds];

static int mistake(int kind, int* all, MPI_Comm comm, int root) {
  int* const own = kind >= 2 ? all + (comm == MPI_COMM_SELF ? 0 : me) : all;
  int ones[most], places[most];
  for (int i = 0; i < most; ++i) ones[i] = 1, places[i] = i;
  handled = 0;
  const int code = kind == 0   ? MPI_Reduce(all, all, 1, MPI_INT, MPI_SUM, root, comm)
                   : kind == 1 ? MPI_Allreduce(all, all, 1, MPI_INT, MPI_SUM, comm)
                   : kind == 2 ? MPI_Gather(own, 1, MPI_INT, all, 1, MPI_INT, root, comm)
                   : kind == 3 ? MPI_Scatterv(all, ones, places, MPI_INT, own, 1, MPI_INT, root, comm)
                               : MPI_Gatherv(own, 1, MPI_INT, all, ones, places, MPI_INT, root, comm);
  return code != MPI_SUCCESS || handled;
}

static void turn(MPI_Comm comm, int root, int err) {
  int all[most] = {0}, mine = me + 1, sum = 0;
  const int total = size * (size + 1) / 2;
  if (err && me == root && refused[0] && !mistake(0, all, comm, root)) wrong = 1, printf("WRONG: reduce not refused\n");
  MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, comm);
  if (me == root && sum != total) wrong = 1, printf("WRONG: reduce gave %d\n", sum);
  if (err && me == root && refused[1] && !mistake(1, all, comm, root))
    wrong = 1, printf("WRONG: allreduce not refused\n");
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  if (sum != total) wrong = 1, printf("WRONG: allreduce gave %d\n", sum);
  if (err && me == root && refused[2] && !mistake(2, all, comm, root)) wrong = 1, printf("WRONG: gather not refused\n");
  MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, comm);
  for (int i = 0; me == root && i < size; ++i)
    if (all[i] != i + 1) wrong = 1, printf("WRONG: gather gave %d\n", all[i]);
  int ones[most], places[most], own = -1;
  for (int i = 0; i < most; ++i) ones[i] = 1, places[i] = i, all[i] = 10 * i;
  if (err && me == root && refused[3] && !mistake(3, all, comm, root))
    wrong = 1, printf("WRONG: scatterv not refused\n");
  MPI_Scatterv(all, ones, places, MPI_INT, &own, 1, MPI_INT, root, comm);
  if (own != 10 * me) wrong = 1, printf("WRONG: scatterv gave %d\n", own);
  if (err && me == root && refused[4] && !mistake(4, all, comm, root))
    wrong = 1, printf("WRONG: gatherv not refused\n");
  MPI_Gatherv(&mine, 1, MPI_INT, all, ones, places, MPI_INT, root, comm);
  for (int i = 0; me == root && i < size; ++i)
    if (all[i] != i + 1) wrong = 1, printf("WRONG: gatherv gave %d\n", all[i]);
}

int main(int argc, char** argv) {
  int all[most] = {0}, any = 0;
  MPI_Errhandler counts;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_create_errhandler(handler, &counts);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, argc > 1 ? counts : MPI_ERRORS_RETURN);
  for (int kind = 0; kind < kinds; ++kind) refused[kind] = mistake(kind, all, MPI_COMM_SELF, 0);
  for (int before = 0; before < 3; ++before) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, argc > 1 ? counts : MPI_ERRORS_RETURN);
    for (int i = 0; i < 60; ++i) turn(comm, i % size, i % 20 == before);
    MPI_Comm_free(&comm);
  }
  MPI_Errhandler_free(&counts);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
