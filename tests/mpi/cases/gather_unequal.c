/* Gathers whose root asks for more than the others send, and scatters whose receivers ask for more than the root sends:
   what is sent arrives, at its place, and the rest of each block stays as it was.  Short blocks and long ones.
   @run 2
   @run[mpich,openmpi] 3 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

static int me, size, wrong = 0;

static void check(const char* what, const char* block, int owner, int sent, int asked) {
  for (int i = 0; i < asked && !wrong; ++i)
    if (block[i] != (i < sent ? (char)('a' + (owner + i) % 26) : '#'))
      wrong = 1,
      printf("WRONG: rank %d: %s of %d for %d: byte %d of rank %d's block\n", me, what, sent, asked, i, owner);
}

static void unequal(int sent, int asked) {
  char *const many = malloc((size_t)(asked * size)), *const one = malloc((size_t)asked);
  int code;
  memset(many, '#', (size_t)(asked * size));
  for (int i = 0; i < asked; ++i) one[i] = (char)('a' + (me + i) % 26);
  code = MPI_Gather(one, me == 0 ? asked : sent, MPI_CHAR, many, asked, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (code != MPI_SUCCESS) wrong = 1, printf("WRONG: rank %d: an error in gather\n", me);
  for (int owner = 0; me == 0 && owner < size; ++owner)
    check("gather", many + owner * asked, owner, owner == 0 ? asked : sent, asked);
  for (int owner = 0; owner < size; ++owner)
    for (int i = 0; i < sent; ++i) many[owner * sent + i] = (char)('a' + (owner + i) % 26);
  memset(one, '#', (size_t)asked);
  code = MPI_Scatter(many, sent, MPI_CHAR, me == 0 ? MPI_IN_PLACE : one, asked, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (code != MPI_SUCCESS) wrong = 1, printf("WRONG: rank %d: an error in scatter\n", me);
  if (me != 0) check("scatter", one, me, sent, asked);
  free(many);
  free(one);
}

int main(int argc, char** argv) {
  static const int lengths[] = {4, 60, 3000, 20000, 300000};
  const int number = sizeof lengths / sizeof *lengths;
  int any = 0;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 8; ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (int few = 0; few < number; ++few)
    for (int many = few; many < number; ++many)
      for (int turn = 0; turn < 3; ++turn) {
        int one = 1, sum = 0;
        unequal(lengths[few], lengths[many]);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (sum != size) wrong = 1, printf("WRONG: rank %d: the next call\n", me);
      }
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
