// clang-format off
/* The same bits under several names on the ranks of one reduction: Fortran's types of a size, MPI_Type_create_f90_real,
   C's complex types, the types' plain names, and with a user's operator types that the user has made of them.  Which
   operators go with MPI_INTEGER8 or MPI_REAL4 is the library's to say.
   @run 2,3
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_ALLREDUCE=node(native) TUTTI_SCAN=node(native)
   @run 3 TUTTI_ALLREDUCE=recursive_doubling TUTTI_SCAN=recursive_doubling */
// clang-format on
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

static int me, size, wrong = 0;

static int has(MPI_Datatype type, int bytes) {
  int found = -1;
  return type != MPI_DATATYPE_NULL && MPI_Type_size(type, &found) == MPI_SUCCESS && found == bytes;
}

static void reals(MPI_Datatype one, MPI_Datatype other, MPI_Op op, int least) {
  for (int i = 0; i < 6; ++i) {
    double mine[3] = {me + i, -me, 0.5}, sum[3] = {-1, -1, -1};
    MPI_Allreduce(mine, sum, 3, (me + i) % 2 ? one : other, op, MPI_COMM_WORLD);
    const double first = least ? i : size * (size - 1) / 2 + size * i,
                 second = least ? 1 - size : -(size * (size - 1) / 2);
    if (sum[0] != first || sum[1] != second) wrong = 1, printf("WRONG: reals %g %g in call %d\n", sum[0], sum[1], i);
  }
}

static void integers(MPI_Datatype one, MPI_Datatype other) {
  for (int i = 0; i < 6; ++i) {
    long long mine = (me + 1LL) << 33, sum = -1;
    MPI_Scan(&mine, &sum, 1, (me + i) % 2 ? one : other, MPI_SUM, MPI_COMM_WORLD);
    if (sum != ((me + 1LL) * (me + 2) / 2) << 33) wrong = 1, printf("WRONG: integers %lld in call %d\n", sum, i);
    MPI_Allreduce(&mine, &sum, 1, (me + i) % 2 ? one : other, MPI_MAX, MPI_COMM_WORLD);
    if (sum != (long long)size << 33) wrong = 1, printf("WRONG: most %lld in call %d\n", sum, i);
  }
}

static void complexes(MPI_Datatype one, MPI_Datatype other) {
  for (int i = 0; i < 6; ++i) {
    double mine[2] = {me, 2 * i}, sum[2] = {-1, -1};
    MPI_Allreduce(mine, sum, 1, (me + i) % 2 ? one : other, MPI_SUM, MPI_COMM_WORLD);
    if (sum[0] != size * (size - 1) / 2 || sum[1] != 2 * i * size)
      wrong = 1, printf("WRONG: complex %g %g\n", sum[0], sum[1]);
  }
}

/* Two doubles an element, whatever the type is called. */
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  for (int i = 0; i < *count * bytes / 8; ++i) ((double*)inout)[i] += ((double*)in)[i];
}

static void users(void) {
  MPI_Op op;
  MPI_Datatype pair, again;
  MPI_Op_create(add, 1, &op);
  MPI_Type_contiguous(2, has(MPI_REAL8, 8) ? MPI_REAL8 : MPI_DOUBLE, &pair);
  MPI_Type_dup(pair, &again);
  MPI_Type_commit(&pair), MPI_Type_commit(&again);
  for (int i = 0; i < 6; ++i) {
    double mine[4] = {me, i, 1, 2}, sum[4] = {0};
    MPI_Allreduce(mine, sum, 2, (me + i) % 2 ? pair : me == 0 ? MPI_C_DOUBLE_COMPLEX : again, op, MPI_COMM_WORLD);
    if (sum[0] != size * (size - 1) / 2 || sum[1] != i * size || sum[3] != 2 * size)
      wrong = 1, printf("WRONG: user's sum %g %g\n", sum[0], sum[1]);
  }
  MPI_Type_free(&pair), MPI_Type_free(&again);
  MPI_Op_free(&op);
}

int main(int argc, char** argv) {
  int any = 0;
  MPI_Datatype f90 = MPI_DATATYPE_NULL;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (has(MPI_REAL8, 8)) reals(MPI_REAL8, MPI_DOUBLE, MPI_SUM, 0), reals(MPI_DOUBLE, MPI_REAL8, MPI_MIN, 1);
  if (MPI_Type_create_f90_real(15, 300, &f90) == MPI_SUCCESS && has(f90, 8)) reals(f90, MPI_DOUBLE, MPI_SUM, 0);
  if (has(MPI_INTEGER8, 8)) integers(MPI_INTEGER8, MPI_LONG_LONG), integers(MPI_INT64_T, MPI_INTEGER8);
  if (has(MPI_COMPLEX16, 16)) complexes(MPI_COMPLEX16, MPI_C_DOUBLE_COMPLEX);
  if (has(MPI_DOUBLE_COMPLEX, 16)) complexes(MPI_C_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX);
  users();
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
