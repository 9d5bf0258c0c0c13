/* Bcasts, scatterv, gatherv and reduces of 8 B to 2 KiB, about 100 KiB of each length by those who lead, before the
   others begin: as with ahead_rooted, but blocks of unequal lengths, in place at the root, and a bcast of a type with
   gaps.
   @run 2,3,5 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "watch.h"

enum { most_ranks = 8, most_words = 256, bytes_ahead = 100 * 1024, most_calls = 900 };

static int me, size, wrong = 0;
static MPI_Datatype spaced;
static long row[most_ranks * most_words], mine[most_words], sum[most_words];

static void expect(long found, long right, const char* what, int words, int call) {
  if (found == right || wrong++ > 3) return;
  printf("WRONG: %s of %d words, call %d on rank %d: %ld, not %ld\n", what, words, call, me, found, right);
}

static long word(int rank, int call, int i) { return 100000L * call + 1000L * rank + i; }

static int words_of(int rank, int words) { return rank % 2 == 1 && words > 1 ? words - 1 : words; }

static void spread(int words, int call) { /* root 0 */
  int counts[most_ranks], places[most_ranks];
  for (int rank = 0, place = 0; rank < size; place += counts[rank++]) {
    counts[rank] = words_of(rank, words), places[rank] = place;
    for (int i = 0; i < counts[rank]; ++i) row[place + i] = me == 0 ? word(rank, call, i) : -1;
  }
  MPI_Scatterv(row, counts, places, MPI_LONG, me == 0 ? MPI_IN_PLACE : mine, counts[me], MPI_LONG, 0, MPI_COMM_WORLD);
  for (int i = 0; me != 0 && i < counts[me]; ++i) expect(mine[i], word(me, call, i), "scatterv", words, call);
  for (int i = 0; i < words; ++i) row[2 * i] = me == 0 ? word(0, call, i) : -1;
  MPI_Bcast(row, words, spaced, 0, MPI_COMM_WORLD);
  for (int i = 0; i < words; ++i) expect(row[2 * i], word(0, call, i), "bcast", words, call);
}

static void collect(int words, int call) { /* to root 0 */
  int counts[most_ranks], places[most_ranks];
  for (int rank = 0, place = 0; rank < size; place += counts[rank++])
    counts[rank] = words_of(rank, words), places[rank] = place;
  for (int i = 0; i < words; ++i) mine[i] = row[i] = word(me, call, i);
  MPI_Gatherv(me == 0 ? MPI_IN_PLACE : mine, counts[me], MPI_LONG, row, counts, places, MPI_LONG, 0, MPI_COMM_WORLD);
  for (int rank = 0; me == 0 && rank < size; ++rank)
    for (int i = 0; i < counts[rank]; ++i) expect(row[places[rank] + i], word(rank, call, i), "gatherv", words, call);
  MPI_Reduce(mine, sum, words, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; me == 0 && i < words; ++i)
    expect(sum[i], size * word(0, call, i) + 1000L * (size * (size - 1) / 2), "reduce", words, call);
}

static void run(void (*call)(int, int), int root_leads, int words) {
  const int leads = (me == 0) == root_leads, blocks = root_leads ? size : 2;
  int calls = bytes_ahead / ((8 * words + 16) * blocks), token = 0;
  if (calls > most_calls) calls = most_calls;
  for (int from = 0; !leads && from < size; ++from)
    if ((from == 0) == root_leads) MPI_Recv(&token, 1, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < calls; ++i) call(words, i);
  for (int to = 0; leads && to < size; ++to)
    if ((to == 0) != root_leads) MPI_Send(&token, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int any = 0;
  MPI_Datatype one;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_contiguous(1, MPI_LONG, &one);
  MPI_Type_create_resized(one, 0, 2 * sizeof(long), &spaced);
  MPI_Type_commit(&spaced);
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (int words = 1; words <= most_words; words *= 4) run(spread, 1, words), run(collect, 0, words);
  MPI_Type_free(&spaced);
  MPI_Type_free(&one);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any != 0;
}
