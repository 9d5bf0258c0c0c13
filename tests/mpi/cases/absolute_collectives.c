// clang-format off
/* Data named by its address (MPI_BOTTOM) in gather, scatter, alltoallw, allgather, and in reduce, allreduce and scan,
   the latter with a user's operator that works at addresses: on the node engine, by messages, and over several nodes.
   @run 2
   @run[mpich,openmpi] 3
   @run[mpich,openmpi] 4 TUTTI_PRETEND_NODES=block:2 TUTTI_GATHER=node(binomial) TUTTI_SCATTER=node(binomial) TUTTI_ALLGATHER=node(ring) TUTTI_ALLTOALLW=node(linear) TUTTI_REDUCE=node(binomial) TUTTI_ALLREDUCE=node(recursive_doubling) TUTTI_SCAN=node(recursive_doubling)
   @run[mpich,openmpi] 3 TUTTI_GATHER=binomial TUTTI_SCATTER=binomial TUTTI_ALLGATHER=ring TUTTI_ALLTOALLW=linear TUTTI_REDUCE=binomial TUTTI_ALLREDUCE=recursive_doubling TUTTI_SCAN=recursive_doubling */
// clang-format on
#include <mpi.h>
#include <stdio.h>

#include "watch.h"

enum { most = 64 };
static int me, size, wrong = 0;
static int a[6], b[6]; /* the type names 0, 1, 3, 4, 5 of either */
static int all[5 * most], sent[5 * most];

static void expect(const char* what, int found, int right) {
  if (found != right && wrong++ < 5) printf("WRONG: rank %d: %s: %d, not %d\n", me, what, found, right);
}
static int index_of(int i) { return i < 2 ? i : i + 1; }

static MPI_Datatype absolute(int* data) {
  const int parts[2] = {2, 3};
  MPI_Aint where[2];
  MPI_Datatype type;
  MPI_Get_address(data, &where[0]), MPI_Get_address(data + 3, &where[1]);
  MPI_Type_create_hindexed(2, parts, where, MPI_INT, &type), MPI_Type_commit(&type);
  return type;
}

/* One element: the type's addresses count from the operands. */
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  MPI_Aint lower, extent;
  MPI_Type_get_true_extent(*type, &lower, &extent);
  const int* const left = (const int*)((char*)in + lower);
  int* const right = (int*)((char*)inout + lower);
  if (*count > 1) ++wrong;
  for (int i = 0; i < 5 && *count == 1; ++i) right[index_of(i)] += left[index_of(i)];
}

static void move(MPI_Datatype at_a, MPI_Datatype at_b, int turn) {
  const int root = turn % size;
  for (int i = 0; i < 6; ++i) a[i] = 100 * me + i + turn, b[i] = -1;
  MPI_Gather(MPI_BOTTOM, 1, at_a, all, 5, MPI_INT, root, MPI_COMM_WORLD);
  for (int r = 0; r < size && me == root; ++r)
    for (int i = 0; i < 5; ++i) expect("gather", all[5 * r + i], 100 * r + index_of(i) + turn);
  for (int i = 0; i < 5 * size; ++i) sent[i] = 1000 * me + i + turn;
  MPI_Scatter(sent, 5, MPI_INT, MPI_BOTTOM, 1, at_b, root, MPI_COMM_WORLD);
  for (int i = 0; i < 5; ++i) expect("scatter", b[index_of(i)], 1000 * root + 5 * me + i + turn);
  expect("scatter's gap", b[2], -1);
  MPI_Allgather(MPI_BOTTOM, 1, at_a, all, 5, MPI_INT, MPI_COMM_WORLD);
  expect("allgather", all[5 * (size - 1) + 4], 100 * (size - 1) + 5 + turn);
}

/* The last rank's block is what it has at addresses, there and back. */
static void exchange(MPI_Datatype at_a, MPI_Datatype at_b, int turn) {
  int counts[most], from[most], to[most];
  MPI_Datatype out[most], in[most];
  for (int r = 0; r < size; ++r) {
    const int last = r == size - 1;
    counts[r] = last ? 1 : 5;
    MPI_Aint start, there;
    MPI_Get_address(sent, &start), MPI_Get_address(all, &there);
    from[r] = to[r] = 0;
    if (last) {
      out[r] = at_a, in[r] = at_b;
    } else {
      const int length = 5;
      start += 20 * r, there += 20 * r, counts[r] = 1;
      MPI_Type_create_hindexed(1, &length, &start, MPI_INT, &out[r]), MPI_Type_commit(&out[r]);
      MPI_Type_create_hindexed(1, &length, &there, MPI_INT, &in[r]), MPI_Type_commit(&in[r]);
    }
  }
  for (int i = 0; i < 5 * size; ++i) sent[i] = 1000 * me + i + turn, all[i] = -1;
  for (int i = 0; i < 6; ++i) a[i] = -100 * me - i, b[i] = -1;
  MPI_Alltoallw(MPI_BOTTOM, counts, from, out, MPI_BOTTOM, counts, to, in, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < 5; ++i) {
      const int right = me == size - 1 ? -100 * r - index_of(i) : 1000 * r + 5 * me + i + turn;
      expect("alltoallw", r == size - 1 ? b[index_of(i)] : all[5 * r + i], right);
    }
  for (int r = 0; r + 1 < size; ++r) MPI_Type_free(&out[r]), MPI_Type_free(&in[r]);
}

static void reduce(MPI_Datatype at_a, MPI_Op op, int turn) {
  const int ranks = size * (size - 1) / 2, root = turn % size;
  for (int i = 0; i < 6; ++i) a[i] = 10 * me + i;
  MPI_Allreduce(MPI_IN_PLACE, MPI_BOTTOM, 1, at_a, op, MPI_COMM_WORLD);
  for (int i = 0; i < 5; ++i) expect("allreduce", a[index_of(i)], 10 * ranks + size * index_of(i));
  for (int i = 0; i < 6; ++i) a[i] = 10 * me + i;
  if (me == root)
    MPI_Reduce(MPI_IN_PLACE, MPI_BOTTOM, 1, at_a, op, root, MPI_COMM_WORLD);
  else
    MPI_Reduce(MPI_BOTTOM, NULL, 1, at_a, op, root, MPI_COMM_WORLD);
  for (int i = 0; i < 5; ++i)
    expect("reduce", a[index_of(i)], me == root ? 10 * ranks + size * index_of(i) : 10 * me + index_of(i));
  for (int i = 0; i < 6; ++i) a[i] = 10 * me + i;
  MPI_Scan(MPI_IN_PLACE, MPI_BOTTOM, 1, at_a, op, MPI_COMM_WORLD);
  for (int i = 0; i < 5; ++i) expect("scan", a[index_of(i)], 10 * (me * (me + 1) / 2) + (me + 1) * index_of(i));
}

int main(int argc, char** argv) {
  int any = 0;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype at_a = absolute(a), at_b = absolute(b);
  MPI_Op_create(add, 1, &op);
  for (int turn = 0; turn < 12; ++turn) move(at_a, at_b, turn), exchange(at_a, at_b, turn), reduce(at_a, op, turn);
  MPI_Op_free(&op);
  MPI_Type_free(&at_a), MPI_Type_free(&at_b);
  wrong = wrong != 0;
  PMPI_Reduce(&wrong, &any, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0 && any == 0) printf("ok\n");
  MPI_Finalize();
  return wrong;
}
