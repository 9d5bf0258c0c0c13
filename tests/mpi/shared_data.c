/* Every shared collective beside MPI's own, on communicators of several kinds: same bytes, gaps of types included.
   `shared_data short` makes a third of the calls.  Prints "shared data: right". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/shared.h"

enum { most_blocks = 64 };

static int wrong = 0, calls = 0, each = 1; /* of the lengths, every `each`th */

/* What a call is made with. */
struct setting {
  MPI_Comm comm;
  int me, size, root;
  unsigned flags;
  MPI_Datatype type;
  MPI_Aint extent;
  int count;
};

static void fill(void* memory, size_t bytes, int seed) {
  unsigned char* byte = memory;
  for (size_t i = 0; i < bytes; ++i) byte[i] = (unsigned char)(7 * i + 31 * (size_t)seed + (i >> 8));
}

static void* cleared(const struct setting* s, int elements) { return calloc((size_t)elements + 1, (size_t)s->extent); }

static void* contribution(const struct setting* s, int elements) {
  void* made = cleared(s, elements);
  fill(made, (size_t)elements * (size_t)s->extent, s->me + 3 * s->count);
  return made;
}

/* Bytes between the elements are zero in `expected`, which MPI never writes. */
static void compare(const char* what, const struct setting* s, void* result, const void* expected, int elements) {
  int size = 0;
  MPI_Aint lower, length;
  MPI_Type_size(s->type, &size);
  MPI_Type_get_true_extent(s->type, &lower, &length);
  const size_t bytes = elements && size ? (size_t)((elements - 1) * s->extent + lower + length) : 0;
  const char* why = "";
  ++calls;
  const enum tutti_result kind = tutti_result_kind(result, &why);
  if ((bytes == 0) != (result == NULL) || (bytes && memcmp(result, expected, bytes)) || (result && !kind)) {
    wrong = 1;
    fprintf(stderr, "%s of %d elements (extent %ld) on rank %d of %d, root %d, flags %u, kind %d %s: wrong\n", what,
            elements, (long)s->extent, s->me, s->size, s->root, s->flags, (int)kind, why);
  }
  if (tutti_free(result) != MPI_SUCCESS || tutti_result_kind(result, NULL) != TUTTI_RESULT_NONE) wrong = 1;
}

static void bcast(const struct setting* s) {
  void *mine = contribution(s, s->count), *expected = cleared(s, s->count), *result = NULL;
  tutti_bcast_shared(s->me == s->root ? mine : NULL, s->count, s->type, s->root, s->comm, s->flags, &result);
  MPI_Request request;
  if (s->me == s->root) MPI_Isend(mine, s->count, s->type, s->me, 0, s->comm, &request);
  if (s->me == s->root) MPI_Recv(expected, s->count, s->type, s->me, 0, s->comm, MPI_STATUS_IGNORE);
  if (s->me == s->root) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Bcast(expected, s->count, s->type, s->root, s->comm);
  compare("bcast", s, result, expected, s->count);
  free(mine), free(expected);
}

static void gathers(const struct setting* s) {
  const int all = s->count * s->size;
  void *mine = contribution(s, s->count), *expected = cleared(s, all), *result = NULL;
  MPI_Allgather(mine, s->count, s->type, expected, s->count, s->type, s->comm);
  tutti_allgather_shared(mine, s->count, s->type, s->count, s->type, s->comm, s->flags, &result);
  compare("allgather", s, result, expected, all);
  tutti_gather_shared(mine, s->count, s->type, s->count, s->type, s->root, s->comm, s->flags, &result);
  compare("gather", s, result, expected, s->me == s->root ? all : 0);
  free(mine), free(expected);
}

static void allgatherv(const struct setting* s) {
  int counts[most_blocks], places[most_blocks], all = 0;
  int64_t wide[most_blocks];
  for (int r = 0; r < s->size; ++r) {
    wide[r] = counts[r] = r % 3 == 1 ? 0 : s->count + r;
    places[r] = all, all += counts[r];
  }
  void *mine = contribution(s, counts[s->me]), *expected = cleared(s, all), *result = NULL;
  MPI_Allgatherv(mine, counts[s->me], s->type, expected, counts, places, s->type, s->comm);
  tutti_allgatherv_shared(mine, counts[s->me], s->type, wide, s->type, s->comm, s->flags, &result);
  compare("allgatherv", s, result, expected, all);
  free(mine), free(expected);
}

static void alltoall(const struct setting* s) {
  const int all = s->count * s->size;
  void *mine = contribution(s, all), *expected = cleared(s, all), *result = NULL;
  MPI_Alltoall(mine, s->count, s->type, expected, s->count, s->type, s->comm);
  tutti_alltoall_shared(mine, s->count, s->type, s->count, s->type, s->comm, s->flags, &result);
  compare("alltoall", s, result, expected, all);
  free(mine), free(expected);
}

/* Packed on one side, with gaps on the other.  (Intel MPI 2021.18 crashes in such an MPI_Allgather: hence the
 * unpacking.) */
static void two_types(const struct setting* s) {
  int size = 0, position = 0;
  MPI_Type_size(s->type, &size);
  const struct setting bytes = {s->comm, s->me, s->size, s->root, s->flags, MPI_BYTE, 1, s->count * size};
  void *mine = contribution(&bytes, bytes.count), *laid_out = cleared(s, s->count);
  void *expected = cleared(s, s->count * s->size), *result = NULL;
  MPI_Unpack(mine, bytes.count, &position, laid_out, s->count, s->type, s->comm);
  MPI_Allgather(laid_out, s->count, s->type, expected, s->count, s->type, s->comm);
  tutti_allgather_shared(mine, bytes.count, MPI_BYTE, s->count, s->type, s->comm, s->flags, &result);
  compare("allgather of bytes", s, result, expected, s->count * s->size);
  free(mine), free(laid_out), free(expected);
}

static void movements(struct setting s, MPI_Datatype type) {
  static const int counts[] = {7, 0, 1, 40001, 1000};
  MPI_Aint lower;
  s.type = type;
  MPI_Type_get_extent(type, &lower, &s.extent);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i += (size_t)each) {
    s.count = counts[i];
    bcast(&s), gathers(&s), allgatherv(&s), alltoall(&s), two_types(&s);
  }
}

/* First a, then b, of maps x -> a0 x + a1 modulo 2^32: associative, and the order counts. */
static void affine(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  const unsigned* a = in;
  unsigned* b = inout;
  for (int i = 0; i < *count; ++i) b[2 * i + 1] += a[2 * i + 1] * b[2 * i], b[2 * i] *= a[2 * i];
}

static void reduction(struct setting s, const char* what, MPI_Datatype type, MPI_Op op) {
  static const int counts[] = {70001, 0, 1, 333};
  MPI_Aint lower;
  s.type = type;
  MPI_Type_get_extent(type, &lower, &s.extent);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i += (size_t)each) {
    s.count = counts[i];
    void *mine = cleared(&s, s.count), *expected = cleared(&s, s.count), *result = NULL;
    for (int64_t k = 0; k < s.count * (int64_t)s.extent / 4; ++k)
      ((int*)mine)[k] = type == MPI_DOUBLE_INT ? 0 : (int)(k % 5 + s.me + 1);
    if (type == MPI_DOUBLE_INT)
      for (int k = 0; k < s.count; ++k) {
        const double value = (k + s.me) % 3;
        memcpy((char*)mine + k * s.extent, &value, sizeof value);
        memcpy((char*)mine + k * s.extent + 8, &s.me, sizeof s.me);
      }
    MPI_Allreduce(mine, expected, s.count, type, op, s.comm);
    tutti_allreduce_shared(mine, s.count, type, op, s.comm, s.flags, &result);
    compare(what, &s, result, expected, s.count);
    free(mine), free(expected);
  }
}

static void reductions(struct setting s, MPI_Datatype pairs, MPI_Op in_order) {
  reduction(s, "allreduce sum", MPI_INT, MPI_SUM);
  reduction(s, "allreduce maxloc", MPI_DOUBLE_INT, MPI_MAXLOC);
  reduction(s, "allreduce in order", pairs, in_order);
}

static void on(MPI_Comm comm) {
  struct setting s = {.comm = comm};
  MPI_Comm_rank(comm, &s.me);
  MPI_Comm_size(comm, &s.size);
  MPI_Datatype pairs, padded, vector, parts[] = {MPI_DOUBLE, MPI_INT};
  const int lengths[] = {1, 1};
  const MPI_Aint places[] = {8, 0};
  MPI_Type_contiguous(2, MPI_UNSIGNED, &pairs);
  MPI_Type_create_struct(2, lengths, places, parts, &padded);
  MPI_Type_vector(3, 2, 5, MPI_SHORT, &vector);
  MPI_Type_commit(&pairs), MPI_Type_commit(&padded), MPI_Type_commit(&vector);
  MPI_Op in_order;
  MPI_Op_create(affine, 0, &in_order);
  for (unsigned flags = 0; flags < 2; ++flags) {
    s.flags = flags, s.root = flags ? s.size - 1 : 0;
    const MPI_Datatype types[] = {MPI_INT, pairs, padded, vector};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) movements(s, types[i]);
    reductions(s, pairs, in_order);
  }
  MPI_Op_free(&in_order);
  MPI_Type_free(&pairs), MPI_Type_free(&padded), MPI_Type_free(&vector);
}

int main(int argc, char** argv) {
  each = argc > 1 && !strcmp(argv[1], "short") ? 3 : 1;
  MPI_Init(&argc, &argv);
  int me, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm backwards, halves;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &backwards);
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &halves);
  on(MPI_COMM_WORLD), on(backwards);
  if (each == 1) on(halves), on(MPI_COMM_SELF);
  MPI_Comm_free(&backwards), MPI_Comm_free(&halves);
  int any = 0;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("shared data: right, %d results\n", calls);
  MPI_Finalize();
  return any;
}
