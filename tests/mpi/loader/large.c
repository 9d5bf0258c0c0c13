/* The large-count forms, also on an MPI that has none (Open MPI up to 5), where only a preloaded library defines them.
   Small counts for all of them; with argv[1] = "big" counts beyond 2^31 as well (needs 16 GiB at 2 ranks).
   Prints `large: right`, or `large: none` where nobody defines them. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OMPI_MAJOR_VERSION
#define DECLARE(name, ...) int name(__VA_ARGS__) __attribute__((weak));
#define BUFFERS(count, displacement)                                                                      \
  const void*, const count*, const displacement*, MPI_Datatype, void*, const count*, const displacement*, \
      MPI_Datatype, MPI_Comm
DECLARE(MPI_Bcast_c, void*, MPI_Count, MPI_Datatype, int, MPI_Comm)
DECLARE(MPI_Gather_c, const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm)
DECLARE(MPI_Gatherv_c, const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype,
        int, MPI_Comm)
DECLARE(MPI_Scatter_c, const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm)
DECLARE(MPI_Scatterv_c, const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, MPI_Count, MPI_Datatype,
        int, MPI_Comm)
DECLARE(MPI_Allgather_c, const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm)
DECLARE(MPI_Allgatherv_c, const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype,
        MPI_Comm)
DECLARE(MPI_Alltoall_c, const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm)
DECLARE(MPI_Alltoallv_c, BUFFERS(MPI_Count, MPI_Aint))
DECLARE(MPI_Alltoallw_c, const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, void*, const MPI_Count*,
        const MPI_Aint*, const MPI_Datatype*, MPI_Comm)
DECLARE(MPI_Reduce_c, const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, int, MPI_Comm)
DECLARE(MPI_Allreduce_c, const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm)
DECLARE(MPI_Reduce_scatter_c, const void*, void*, const MPI_Count*, MPI_Datatype, MPI_Op, MPI_Comm)
DECLARE(MPI_Reduce_scatter_block_c, const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm)
DECLARE(MPI_Scan_c, const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm)
DECLARE(MPI_Exscan_c, const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm)
#endif

enum { most = 64 };
static const MPI_Count beyond = ((MPI_Count)1 << 31) + 5;

static int rank, size, wrong;

static void expect(const char* what, long long place, long long got, long long wanted) {
  if (got == wanted || wrong++ > 10) return;
  fprintf(stderr, "rank %d, %s [%lld]: %lld, should be %lld\n", rank, what, place, got, wanted);
}

static void moving(void) {
  const MPI_Comm world = MPI_COMM_WORLD;
  int in[most], out[most], value = rank == 0 ? 7 : -1;
  MPI_Count counts[most];
  MPI_Aint places[most], bytes[most];
  MPI_Datatype types[most];
  for (int i = 0; i < size; ++i) {
    in[i] = 1000 * rank + i, out[i] = -1;
    counts[i] = 1, places[i] = size - 1 - i, bytes[i] = 4 * i, types[i] = MPI_INT;
  }
  MPI_Bcast_c(&value, 1, MPI_INT, 0, world);
  expect("bcast", 0, value, 7);
  MPI_Gather_c(in, 1, MPI_INT, out, 1, MPI_INT, 0, world);
  for (int i = 0; i < size && rank == 0; ++i) expect("gather", i, out[i], 1000 * i);
  MPI_Gatherv_c(in, 1, MPI_INT, out, rank ? NULL : counts, rank ? NULL : places, MPI_INT, 0, world);
  for (int i = 0; i < size && rank == 0; ++i) expect("gatherv", i, out[size - 1 - i], 1000 * i);
  MPI_Scatter_c(in, 1, MPI_INT, rank ? &value : MPI_IN_PLACE, 1, MPI_INT, 0, world);
  if (rank) expect("scatter", 0, value, rank);
  MPI_Scatterv_c(in, rank ? NULL : counts, rank ? NULL : places, MPI_INT, &value, 1, MPI_INT, 0, world);
  expect("scatterv", 0, value, size - 1 - rank);
  MPI_Allgather_c(in, 1, MPI_INT, out, 1, MPI_INT, world);
  for (int i = 0; i < size; ++i) expect("allgather", i, out[i], 1000 * i);
  MPI_Allgatherv_c(in, 1, MPI_INT, out, counts, places, MPI_INT, world);
  for (int i = 0; i < size; ++i) expect("allgatherv", i, out[size - 1 - i], 1000 * i);
  MPI_Alltoall_c(in, 1, MPI_INT, out, 1, MPI_INT, world);
  for (int i = 0; i < size; ++i) expect("alltoall", i, out[i], 1000 * i + rank);
  MPI_Alltoallv_c(in, counts, places, MPI_INT, out, counts, places, MPI_INT, world);
  for (int i = 0; i < size; ++i) expect("alltoallv", i, out[size - 1 - i], 1000 * i + size - 1 - rank);
  MPI_Alltoallw_c(in, counts, bytes, types, out, counts, bytes, types, world);
  for (int i = 0; i < size; ++i) expect("alltoallw", i, out[i], 1000 * i + rank);
  MPI_Alltoall_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 1, MPI_INT, world);
  for (int i = 0; i < size; ++i) expect("alltoall in place", i, out[i], 1000 * rank + i);
}

static void reducing(void) {
  const MPI_Comm world = MPI_COMM_WORLD;
  int in[most], out[most];
  const int all = size * (size - 1) / 2;
  MPI_Count counts[most];
  for (int i = 0; i < size; ++i) in[i] = rank + i, out[i] = -1, counts[i] = 1;
  MPI_Reduce_c(in, out, size, MPI_INT, MPI_SUM, 0, world);
  for (int i = 0; i < size && rank == 0; ++i) expect("reduce", i, out[i], all + size * i);
  MPI_Allreduce_c(in, out, size, MPI_INT, MPI_SUM, world);
  for (int i = 0; i < size; ++i) expect("allreduce", i, out[i], all + size * i);
  MPI_Reduce_scatter_c(in, out, counts, MPI_INT, MPI_SUM, world);
  expect("reduce_scatter", 0, out[0], all + size * rank);
  MPI_Reduce_scatter_block_c(in, out, 1, MPI_INT, MPI_SUM, world);
  expect("reduce_scatter_block", 0, out[0], all + size * rank);
  MPI_Scan_c(in, out, 1, MPI_INT, MPI_SUM, world);
  expect("scan", 0, out[0], rank * (rank + 1) / 2);
  MPI_Exscan_c(in, out, 1, MPI_INT, MPI_SUM, world);
  if (rank > 0) expect("exscan", 0, out[0], rank * (rank - 1) / 2);
}

static signed char* bytes_of(MPI_Count count) {
  signed char* bytes = malloc((size_t)count);
  if (!bytes) MPI_Abort(MPI_COMM_WORLD, 1);
  return bytes;
}

/* Byte `place` of what `owner` gives. */
static signed char pattern(int owner, MPI_Count place) {
  return (signed char)((place * 31 + owner * 7 + (place >> 20)) % 5);
}

static void check(const char* what, const signed char* got, MPI_Count count, int owner, int factor) {
  for (MPI_Count i = 0; i < count; i += i < count - 100 && i > 100 ? 97 : 1) {
    int wanted = factor * pattern(owner, i);
    for (int other = 0; factor == 0 && other < size; ++other) wanted += pattern(other, i);
    if (got[i] != wanted) {
      expect(what, i, got[i], wanted);
      return;
    }
  }
}

static void big(void) {
  const MPI_Comm world = MPI_COMM_WORLD;
  signed char* in = bytes_of(beyond * size);
  signed char* out = bytes_of(beyond * size);
  for (MPI_Count i = 0; i < beyond; ++i) in[i] = pattern(rank, i);
  memset(out, -1, (size_t)(beyond * size));
  MPI_Allgather_c(in, beyond, MPI_BYTE, out, beyond, MPI_BYTE, world);
  for (int i = 0; i < size; ++i) check("big allgather", out + i * beyond, beyond, i, 1);
  MPI_Count counts[most];
  MPI_Aint places[most];
  for (int i = 0; i < size; ++i) counts[i] = beyond, places[i] = (size - 1 - i) * beyond;
  memset(out, -1, (size_t)(beyond * size));
  MPI_Allgatherv_c(in, beyond, MPI_BYTE, out, counts, places, MPI_BYTE, world);
  for (int i = 0; i < size; ++i) check("big allgatherv", out + places[i], beyond, i, 1);
  memset(out, -1, (size_t)(beyond * size));
  MPI_Gatherv_c(in, beyond, MPI_BYTE, out, counts, places, MPI_BYTE, 0, world); /* one common unit: beyond */
  for (int i = 0; i < size && rank == 0; ++i) check("big gatherv", out + places[i], beyond, i, 1);
  MPI_Bcast_c(out, beyond * size, MPI_BYTE, 0, world);
  for (int i = 0; i < size; ++i) check("big bcast", out + places[i], beyond, i, 1);
  memset(out, -1, (size_t)beyond);
  MPI_Allreduce_c(in, out, beyond, MPI_SIGNED_CHAR, MPI_SUM, world);
  check("big allreduce", out, beyond, 0, 0);
  free(out);
  for (int owner = 0; owner < size; ++owner)
    for (MPI_Count i = 0; i < beyond; ++i) in[owner * beyond + i] = pattern(rank, i);
  MPI_Reduce_scatter_block_c(MPI_IN_PLACE, in, beyond, MPI_SIGNED_CHAR, MPI_SUM, world);
  check("big reduce_scatter_block in place", in, beyond, 0, 0);
  free(in);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef OMPI_MAJOR_VERSION
  if (!MPI_Allreduce_c) {
    if (rank == 0) puts("large: none");
    MPI_Finalize();
    return 0;
  }
#endif
  for (int i = 0; i < 6; ++i) moving(), reducing();
  if (argc > 1 && strcmp(argv[1], "big") == 0) big();
  int anywhere = 0;
  MPI_Allreduce(&wrong, &anywhere, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) puts(anywhere ? "large: WRONG" : "large: right");
  MPI_Finalize();
  return anywhere != 0;
}
