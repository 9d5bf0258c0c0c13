/* Data named by its address: MPI_BOTTOM and a type of absolute displacements, in bcast and allgather.  An MPI that
   checks arguments takes the null pointer for a mistake where data is packed (Debian's MPICH does).
   @run 2
   @run[mpich,openmpi] 3 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int me, size, wrong = 0, a[6] = {0}, parts[2] = {2, 3};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Aint where[2];
  MPI_Get_address(a, &where[0]), MPI_Get_address(a + 3, &where[1]);
  MPI_Datatype type;
  MPI_Type_create_hindexed(2, parts, where, MPI_INT, &type), MPI_Type_commit(&type);
  for (int turn = 0; turn < 20; ++turn) {
    const int root = turn % size;
    for (int i = 0; i < 6; ++i) a[i] = me == root ? 100 * turn + i : -1;
    MPI_Bcast(MPI_BOTTOM, 1, type, root, MPI_COMM_WORLD);
    for (int i = 0; i < 6; ++i) wrong += a[i] != (i == 2 ? (me == root ? 100 * turn + 2 : -1) : 100 * turn + i);
    int all[5 * 64];
    for (int i = 0; i < 6; ++i) a[i] = 10 * me + i;
    MPI_Allgather(MPI_BOTTOM, 1, type, all, 5, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r)
      for (int i = 0; i < 5; ++i) wrong += all[5 * r + i] != 10 * r + (i < 2 ? i : i + 1);
  }
  MPI_Type_free(&type);
  if (wrong) printf("WRONG: %d values on rank %d\n", wrong, me);
  int any = 0;
  PMPI_Reduce(&wrong, &any, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0 && any == 0) printf("ok\n");
  MPI_Finalize();
  return wrong != 0;
}
