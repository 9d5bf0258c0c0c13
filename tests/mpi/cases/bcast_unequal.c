/* Broadcasts whose root sends less than the others ask for, short and long, also where roots and receivers would go
   different ways by their lengths, and with types that have gaps at the receivers.  They get what was sent, and all
   other bytes stay as they were; right calls between them come out right.  With the argument `more` the root sends
   more: then receivers get what there is room for, and MPI_ERR_TRUNCATE. More than two ranks pass on what they have not
   got, in most MPIs.
   @run 2
   @run 2 more
   @run 2 TUTTI_BCAST=node(copy=cma) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

enum { longest = 1 << 20 };

static int me, size, wrong = 0;

static char value(int turn, int i) { return (char)('a' + (turn * 7 + i + i / 26) % 26); }

static void right_call(int turn) {
  int word = me == turn % size ? turn : -1, sum = 0, one = 1;
  MPI_Bcast(&word, 1, MPI_INT, turn % size, MPI_COMM_WORLD);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (word != turn || sum != size)
    wrong = 1, printf("WRONG: rank %d: a right call came out wrong after turn %d\n", me, turn);
}

/* Bytes of the buffer that the first `count` of a message fill: blocks of 8, or all. */
static int place(int i, int gaps) { return gaps ? i / 8 * 16 + i % 8 : i; }

static void unequal(int turn, int sent, int asked, int gaps) {
  const int root = turn % size, got = sent < asked ? sent : asked;
  char* const buffer = malloc(2 * longest + 64);
  MPI_Datatype type;
  memset(buffer, '#', 2 * longest + 64);
  MPI_Type_vector(asked / 8, 8, 16, MPI_CHAR, &type);
  MPI_Type_commit(&type);
  int code = MPI_SUCCESS;
  if (me == root) {
    for (int i = 0; i < sent; ++i) buffer[i] = value(turn, i);
    MPI_Bcast(buffer, sent, MPI_CHAR, root, MPI_COMM_WORLD);
  } else if (gaps) {
    code = MPI_Bcast(buffer, 1, type, root, MPI_COMM_WORLD);
  } else {
    code = MPI_Bcast(buffer, asked, MPI_CHAR, root, MPI_COMM_WORLD);
  }
  if (me != root) {
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    if (sent <= asked && code != MPI_SUCCESS) wrong = 1, printf("WRONG: rank %d, turn %d: an error\n", me, turn);
    if (sent > asked && class != MPI_ERR_TRUNCATE) wrong = 1, printf("WRONG: rank %d, turn %d: no error\n", me, turn);
    for (int i = 0, next = 0; i < 2 * longest + 64 && !wrong; ++i) {
      const int is_data = next < got && place(next, gaps) == i;
      if (sent > asked && i < 2 * asked) {
        if (is_data) ++next;
        continue; /* of what is cut off nobody says how much comes */
      }
      if (buffer[i] != (is_data ? value(turn, next) : '#'))
        wrong = 1, printf("WRONG: rank %d, turn %d: byte %d of %d sent, %d asked for\n", me, turn, i, sent, asked);
      if (is_data) ++next;
    }
  }
  MPI_Type_free(&type);
  free(buffer);
}

int main(int argc, char** argv) {
  static const int lengths[] = {8, 48, 1000, 4096, 9000, 65536, 200000, longest};
  const int more = argc > 1, number = sizeof lengths / sizeof *lengths;
  int any = 0, turn = 0;
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 30; ++i) right_call(turn++);
  for (int few = 0; few < number; ++few)
    for (int many = few; many < number; ++many, ++turn) {
      unequal(turn, lengths[more ? many : few], lengths[more ? few : many], turn % 3 == 0);
      right_call(turn);
    }
  for (int i = 0; i < 40; ++i) { /* the same one again and again */
    unequal(turn, more ? 64 : 24, more ? 24 : 64, 0);
    right_call(turn++);
  }
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}
