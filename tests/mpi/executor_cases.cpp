#include "executor_cases.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace tutti::test {
namespace {

using enum Collective;

MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype ints_at(std::vector<MPI_Aint> places, MPI_Aint lower, MPI_Aint extent) {
  const std::vector<int> ones(places.size(), 1);
  const std::vector<MPI_Datatype> types(places.size(), MPI_INT);
  MPI_Datatype plain, resized;
  MPI_Type_create_struct(static_cast<int>(places.size()), ones.data(), places.data(), types.data(), &plain);
  MPI_Type_create_resized(plain, lower, extent, &resized);
  MPI_Type_free(&plain);
  return committed(resized);
}

using Matrix = std::array<std::uint32_t, 4>;

/// 2x2 matrices, whose product is associative but not commutative; dense, or with gaps.  Gaps lie between elements'
/// ints, not at their end: MPICH 5.0.2 takes too little memory for its reductions on types that end in a gap.
void multiply(void* in, void* inout, int* count, MPI_Datatype* type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(*type, &lower, &extent);
  const std::array<std::size_t, 4> dense{0, 1, 2, 3}, gaps{0, 2, 4, 7};
  const auto& place = extent == sizeof(Matrix) ? dense : gaps;
  auto *left = static_cast<std::uint32_t*>(in), *right = static_cast<std::uint32_t*>(inout);
  for (int i = 0; i < *count; ++i) {
    const auto a = [&](std::size_t k) { return left[place[k]]; };
    const auto b = [&](std::size_t k) { return right[place[k]]; };
    const Matrix product{a(0) * b(0) + a(1) * b(2), a(0) * b(1) + a(1) * b(3), a(2) * b(0) + a(3) * b(2),
                         a(2) * b(1) + a(3) * b(3)};
    for (std::size_t k = 0; k < 4; ++k) right[place[k]] = product[k];
    left += static_cast<std::size_t>(extent) / 4, right += static_cast<std::size_t>(extent) / 4;
  }
}

void add(void* in, void* inout, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) static_cast<std::uint32_t*>(inout)[i] += static_cast<std::uint32_t*>(in)[i];
}

/// Whole numbers, so that sums do not depend on their order.
void make_exact(Memory& memory, MPI_Datatype type, std::int64_t count) {
  const bool pair = type == MPI_DOUBLE_INT;
  if (type != MPI_DOUBLE && !pair) return;
  auto* place = static_cast<unsigned char*>(memory.address());
  for (std::int64_t i = 0; i < count; ++i, place += pair ? 16 : 8) {
    const double value = place[1] % 100;
    std::memcpy(place, &value, sizeof value);
  }
}

/// Blocks in any order, with gaps between them.
std::vector<int> scattered(const std::vector<int>& counts, std::mt19937& own) {
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), own);
  std::vector<int> displacements(counts.size());
  int next = 0;
  for (const std::size_t i : order) {
    next += static_cast<int>(own() % 3);
    displacements[i] = next;
    next += counts[i];
  }
  return displacements;
}

std::int64_t room(const std::vector<int>& counts, const std::vector<int>& displacements) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) most = std::max<std::int64_t>(most, displacements[i] + counts[i]);
  return most;
}

Kind any_of(const std::vector<Kind>& kinds, std::mt19937& random) { return kinds[random() % kinds.size()]; }

void make_reduction(Case& one, int me, int size, std::mt19937& shared, std::mt19937& own) {
  std::int64_t send = one.count, receive = one.count;
  if (one.which == reduce_scatter) {
    for (int i = 0; i < size; ++i)
      one.receive_counts.push_back(one.count == 0 ? 0
                                                  : static_cast<int>(shared() % static_cast<unsigned>(one.count + 1)));
    send = std::accumulate(one.receive_counts.begin(), one.receive_counts.end(), std::int64_t{0});
    receive = one.receive_counts[static_cast<std::size_t>(me)];
  } else if (one.which == reduce_scatter_block) {
    send = std::int64_t{one.count} * size;
  }
  one.in_place &= one.which != reduce || me == one.root;
  one.received = receive;
  if (one.in_place) receive = send;
  one.send = Memory(one.reduction.type, send, own);
  one.receive = Memory(one.reduction.type, receive, own);
  make_exact(one.send, one.reduction.type, send);
  make_exact(one.receive, one.reduction.type, receive);
}

/// Every block of a v-form: sixes of ints from row i to column j, the same on all ranks.
std::vector<int> traffic(const Case& one, int size, std::mt19937& shared) {
  std::vector<int> sixes(static_cast<std::size_t>(size * size));
  for (int& six : sixes) six = one.count == 0 ? 0 : static_cast<int>(shared() % static_cast<unsigned>(one.count + 1));
  if (one.in_place && (one.which == alltoallv || one.which == alltoallw))
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < i; ++j)
        sixes[static_cast<std::size_t>(i * size + j)] = sixes[static_cast<std::size_t>(j * size + i)];
  return sixes;
}

}  // namespace

Memory::Memory(MPI_Datatype type, std::int64_t count, std::mt19937& random) {
  MPI_Aint lower, extent, true_lower, true_extent;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  origin = 64 + std::max<std::int64_t>(0, -true_lower);
  const std::int64_t last = std::max<std::int64_t>(count, 1) * extent + true_lower + true_extent;
  bytes.resize(static_cast<std::size_t>(origin + std::max<std::int64_t>(last, 0) + 64));
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
}

std::vector<Kind> int_kinds() {
  MPI_Datatype two;
  MPI_Type_contiguous(2, MPI_INT, &two);
  return {{MPI_INT, 1},
          {committed(two), 2},
          {ints_at({0, 8}, 0, 16), 2},
          {ints_at({4, 0}, 0, 8), 2},
          {ints_at({-8, 4}, -8, 24), 2},
          {ints_at({0, 4, 12}, 0, 16), 3}};
}

std::vector<Reduction> reductions() {
  MPI_Op matrices, sums;
  MPI_Op_create(multiply, 0, &matrices);
  MPI_Op_create(add, 1, &sums);
  MPI_Datatype dense;
  MPI_Type_contiguous(4, MPI_UNSIGNED, &dense);
  return {{MPI_SUM, MPI_INT, "sum of int"},
          {MPI_MAX, MPI_SHORT, "max of short"},
          {MPI_BXOR, MPI_BYTE, "bxor of byte"},
          {MPI_SUM, MPI_DOUBLE, "sum of double"},
          {MPI_MIN, MPI_DOUBLE, "min of double"},
          {MPI_MAXLOC, MPI_DOUBLE_INT, "maxloc of double and int"},
          {MPI_MINLOC, MPI_2INT, "minloc of two ints"},
          {sums, MPI_INT, "user's commutative operator"},
          {matrices, committed(dense), "matrices", false},
          {matrices, ints_at({0, 8, 16, 28}, 0, 32), "matrices with gaps", false}};
}

void make_arguments(Case& one, int me, int size, std::mt19937& shared, std::mt19937& own) {
  if (one.which == barrier) return;
  if (reduces(one.which)) return make_reduction(one, me, size, shared, own);
  static const std::vector<Kind> kinds = int_kinds();
  one.send_kind = any_of(kinds, own);
  one.receive_kind = any_of(kinds, own);
  // Types may differ, but not for the MPI libraries: in a long allgatherv MPICH 5.0.2 cuts by elements of the receive
  // type, and Open MPI 5.0.11 chooses by the size of the send type.
  if (one.which == allgatherv) one.send_kind = one.receive_kind = any_of(kinds, shared);
  if (one.which == gather || one.which == gatherv || one.which == scatter || one.which == scatterv)
    one.in_place &= me == one.root;
  if (one.which == bcast) one.in_place = false;

  const bool by_type = one.which == alltoallw;
  const bool varied =
      by_type || one.which == gatherv || one.which == scatterv || one.which == allgatherv || one.which == alltoallv;
  const std::vector<int> sixes = traffic(one, size, shared);
  const auto block = [&](int from, int to) {
    return varied ? sixes[static_cast<std::size_t>(from * size + to)] : one.count;
  };
  for (int i = 0; i < size; ++i) {
    // gatherv: to the root; allgatherv: the same to everybody; scatterv: from the root.
    const bool to_all = one.which == allgatherv;
    const int out = one.which == gatherv ? block(me, one.root) : to_all ? block(me, 0) : block(me, i);
    const int in = one.which == scatterv ? block(one.root, me) : to_all ? block(i, 0) : block(i, me);
    one.send_counts.push_back(out * 6 / one.send_kind.ints);
    one.receive_counts.push_back(in * 6 / one.receive_kind.ints);
  }
  one.send_displacements = scattered(one.send_counts, own);
  one.receive_displacements = scattered(one.receive_counts, own);
  const auto total = [&](const std::vector<int>& counts, const std::vector<int>& displacements) {
    return std::max<std::int64_t>(room(counts, displacements),
                                  std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  };
  one.send = Memory(one.send_kind.type, total(one.send_counts, one.send_displacements), own);
  one.receive = Memory(one.receive_kind.type, total(one.receive_counts, one.receive_displacements), own);
  if (!by_type) return;
  MPI_Aint lower, extent;
  MPI_Type_get_extent(one.send_kind.type, &lower, &extent);
  for (int& displacement : one.send_displacements) displacement *= static_cast<int>(extent);
  MPI_Type_get_extent(one.receive_kind.type, &lower, &extent);
  for (int& displacement : one.receive_displacements) displacement *= static_cast<int>(extent);
  one.send_types.assign(static_cast<std::size_t>(size), one.send_kind.type);
  one.receive_types.assign(static_cast<std::size_t>(size), one.receive_kind.type);
}

mpi::Operation operation(Case& one, Memory& receive, MPI_Comm comm) {
  mpi::Operation call;
  call.collective = one.which, call.comm = comm, call.root = one.root, call.in_place = one.in_place;
  call.send.buffer = one.send.bytes.empty() ? nullptr : one.send.address();
  call.receive.buffer = receive.bytes.empty() ? nullptr : receive.address();
  if (one.which == barrier) return call;
  if (reduces(one.which)) {
    call.op = one.reduction.op;
    call.send.type = call.receive.type = one.reduction.type;
    call.send.count = call.receive.count = one.count;
    if (one.which == reduce_scatter) call.receive.counts = CountView(one.receive_counts.data());
    return call;
  }
  call.send.type = one.send_kind.type, call.receive.type = one.receive_kind.type;
  call.send.count = one.send_counts[0], call.receive.count = one.receive_counts[0];
  const bool all = one.which == alltoallv || one.which == alltoallw;
  if (one.which == scatterv || all) {
    call.send.counts = CountView(one.send_counts.data());
    call.send.displacements = CountView(one.send_displacements.data());
  }
  if (one.which == gatherv || one.which == allgatherv || all) {
    call.receive.counts = CountView(one.receive_counts.data());
    call.receive.displacements = CountView(one.receive_displacements.data());
  }
  if (one.which == alltoallw) call.send.types = one.send_types.data(), call.receive.types = one.receive_types.data();
  return call;
}

int native(Case& one, Memory& receive, MPI_Comm comm) {
  const bool in = one.in_place, at_receive = one.which == scatter || one.which == scatterv;
  const void* s = in && !at_receive ? MPI_IN_PLACE : one.send.address();
  void* r = in && at_receive ? MPI_IN_PLACE : receive.address();
  if (reduces(one.which)) {
    const MPI_Datatype type = one.reduction.type;
    const MPI_Op op = one.reduction.op;
    switch (one.which) {
      case reduce:
        return PMPI_Reduce(s, r, one.count, type, op, one.root, comm);
      case allreduce:
        return PMPI_Allreduce(s, r, one.count, type, op, comm);
      case scan:
        return PMPI_Scan(s, r, one.count, type, op, comm);
      case exscan:
        return PMPI_Exscan(s, r, one.count, type, op, comm);
      case reduce_scatter:
        return PMPI_Reduce_scatter(s, r, one.receive_counts.data(), type, op, comm);
      default:
        return PMPI_Reduce_scatter_block(s, r, one.count, type, op, comm);
    }
  }
  if (one.which == barrier) return PMPI_Barrier(comm);
  const MPI_Datatype st = one.send_kind.type, rt = one.receive_kind.type;
  const int *sc = one.send_counts.data(), *rc = one.receive_counts.data();
  const int *sd = one.send_displacements.data(), *rd = one.receive_displacements.data();
  switch (one.which) {
    case bcast:
      return PMPI_Bcast(r, rc[0], rt, one.root, comm);
    case gather:
      return PMPI_Gather(s, sc[0], st, r, rc[0], rt, one.root, comm);
    case gatherv:
      return PMPI_Gatherv(s, sc[0], st, r, rc, rd, rt, one.root, comm);
    case scatter:
      return PMPI_Scatter(s, sc[0], st, r, rc[0], rt, one.root, comm);
    case scatterv:
      return PMPI_Scatterv(s, sc, sd, st, r, rc[0], rt, one.root, comm);
    case allgather:
      return PMPI_Allgather(s, sc[0], st, r, rc[0], rt, comm);
    case allgatherv:
      return PMPI_Allgatherv(s, sc[0], st, r, rc, rd, rt, comm);
    case alltoall:
      return PMPI_Alltoall(s, sc[0], st, r, rc[0], rt, comm);
    case alltoallv:
      return PMPI_Alltoallv(s, sc, sd, st, r, rc, rd, rt, comm);
    default:
      return PMPI_Alltoallw(s, sc, sd, one.send_types.data(), r, rc, rd, one.receive_types.data(), comm);
  }
}

}  // namespace tutti::test
