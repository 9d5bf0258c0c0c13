// clang-format off
/* A user's operator is served by the count of its elements: on one node by the engine at its default rules (tutti's
   counters tell), with elements of any size, whole structures among them; results are those of the library.
   @run 2,3
   @run 4 TUTTI_PRETEND_NODES=block:2 TUTTI_ALLREDUCE=node(recursive_doubling) TUTTI_REDUCE=node(binomial)
   @run 3 TUTTI_ALLREDUCE=ring TUTTI_REDUCE=chain */
// clang-format on
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/tutti.h"
#include "watch.h"

struct element {
  char name[3]; /* a gap follows */
  double value;
  int place;
};

static void greatest(void* in, void* inout, int* count, MPI_Datatype* type) {
  const struct element* left = in;
  struct element* right = inout;
  (void)type;
  for (int i = 0; i < *count; ++i)
    if (left[i].value > right[i].value) right[i] = left[i];
}

/* Not commutative: the left operand, digits added behind. */
static void append(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((long long*)inout)[i] += 10 * ((long long*)in)[i];
}

int main(int argc, char** argv) {
  enum { most = 3000 };
  static const int counts[] = {1, 5, 700, most};
  static struct element mine[most], result[most];
  int me, size, wrong = 0, any = 0;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int lengths[] = {3, 1, 1};
  const MPI_Aint places[] = {0, (MPI_Aint)((char*)&mine[0].value - (char*)mine),
                             (MPI_Aint)((char*)&mine[0].place - (char*)mine)};
  const MPI_Datatype parts[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype shape, type;
  MPI_Op most_of, behind;
  MPI_Type_create_struct(3, lengths, places, parts, &shape);
  MPI_Type_create_resized(shape, 0, sizeof(struct element), &type), MPI_Type_commit(&type);
  MPI_Op_create(greatest, 1, &most_of), MPI_Op_create(append, 0, &behind);
  int (*ask)(const char*, struct tutti_counters*);
  *(void**)&ask = dlsym(RTLD_DEFAULT, "tutti_get_counters");
  struct tutti_counters before = {0}, after = {0};
  for (int i = 0; i < 5; ++i) MPI_Barrier(MPI_COMM_WORLD);
  if (ask) ask("allreduce", &before);
  for (int turn = 0; turn < 12; ++turn) {
    const int count = counts[turn % 4];
    for (int i = 0; i < count; ++i)
      mine[i] = (struct element){{'a', 'b', (char)('c' + me)}, (me * 7 + i + turn) % (size + 1), me};
    MPI_Allreduce(mine, result, count, type, most_of, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) {
      double best = -1;
      for (int r = 0; r < size; ++r)
        if ((r * 7 + i + turn) % (size + 1) > best) best = (r * 7 + i + turn) % (size + 1);
      if (result[i].value != best || result[i].name[2] != 'c' + result[i].place) wrong = 1;
    }
    long long digit = me + 1, number = 0, right = 0;
    for (int r = 0; r < size; ++r) right = right * 10 + r + 1;
    MPI_Allreduce(&digit, &number, 1, MPI_LONG_LONG, behind, MPI_COMM_WORLD);
    if (size > 2) right = number; /* (a+b)+c is not a+(b+c): any grouping will do */
    MPI_Reduce(&digit, &number, 1, MPI_LONG_LONG, behind, turn % size, MPI_COMM_WORLD);
    if (number != right && size == 2) wrong = 1;
  }
  if (ask) ask("allreduce", &after);
  if (ask && after.eligible - before.eligible != 24)
    wrong = 1, printf("WRONG: %d of 24 calls were served\n", (int)(after.eligible - before.eligible));
  if (wrong) printf("WRONG: rank %d\n", me);
  MPI_Op_free(&most_of), MPI_Op_free(&behind);
  MPI_Type_free(&type), MPI_Type_free(&shape);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
