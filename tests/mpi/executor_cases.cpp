#include "executor_cases.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace tutti::test {
namespace {

using enum Collective;

constexpr int largest_extent = 24;  // of int_kinds, that of the one with a negative lower bound
constexpr std::size_t negative = 4;

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

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Kind any_of(const std::vector<Kind>& kinds, std::mt19937& random) { return kinds[random() % kinds.size()]; }

/// Lays the blocks out: one after the other, or (`spread`) in any order with gaps between them.  Returns the memory.
Memory lay_out(Blockwise& side, bool spread, bool in_bytes, std::mt19937& own) {
  std::vector<std::size_t> order(side.counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (spread) std::shuffle(order.begin(), order.end(), own);
  side.displacements.resize(side.counts.size());
  int next = 0;
  for (const std::size_t i : order) {
    if (spread) next += static_cast<int>(own() % 3);
    side.displacements[i] = in_bytes ? next * largest_extent : next;
    next += side.counts[i];
  }
  for (const Kind& kind : side.kinds) side.types.push_back(kind.type);
  return Memory(in_bytes ? int_kinds()[negative].type : side.types[0], next, own);
}

void make_reduction(Case& one, int me, int size, std::mt19937& shared, std::mt19937& own) {
  // Intel MPI 2021.18 gives wrong locations for more than 1000 pairs in one MPI_Reduce.
  if (one.reduction.type == MPI_DOUBLE_INT) one.count = std::min(one.count, 600);
  std::int64_t send = one.count, receive = one.count;
  if (one.which == reduce_scatter) {
    for (int i = 0; i < size; ++i)
      one.receives.counts.push_back(one.count == 0 ? 0
                                                   : static_cast<int>(shared() % static_cast<unsigned>(one.count + 1)));
    send = std::accumulate(one.receives.counts.begin(), one.receives.counts.end(), std::int64_t{0});
    receive = one.receives.counts[index(me)];
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
      for (int j = 0; j < i; ++j) sixes[index(i * size + j)] = sixes[index(j * size + i)];
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

const std::vector<Kind>& int_kinds() {
  static const std::vector<Kind> kinds = [] {
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_INT, &two);
    return std::vector<Kind>{{MPI_INT, 1},
                             {committed(two), 2},
                             {ints_at({0, 8}, 0, 16), 2},
                             {ints_at({4, 0}, 0, 8), 2},
                             {ints_at({-8, 4}, -8, largest_extent), 2},
                             {ints_at({0, 4, 12}, 0, 16), 3}};
  }();
  return kinds;
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
  const bool by_type = one.which == alltoallw, to_all = one.which == allgatherv;
  const bool varied = by_type || to_all || one.which == gatherv || one.which == scatterv || one.which == alltoallv;
  if (one.which == gather || one.which == gatherv || one.which == scatter || one.which == scatterv)
    one.in_place &= me == one.root;

  const std::vector<int> sixes = traffic(one, size, shared);
  const auto block = [&](int from, int to) { return varied ? sixes[index(from * size + to)] : one.count; };
  const Kind send = any_of(int_kinds(), own), receive = any_of(int_kinds(), own);
  for (int i = 0; i < size; ++i) {
    const int out = one.which == gatherv ? block(me, one.root) : to_all ? block(me, 0) : block(me, i);
    const int in = one.which == scatterv ? block(one.root, me) : to_all ? block(i, 0) : block(i, me);
    one.sends.kinds.push_back(by_type ? any_of(int_kinds(), own) : send);
    one.receives.kinds.push_back(by_type ? any_of(int_kinds(), own) : receive);
    one.sends.counts.push_back(out * 6 / one.sends.kinds.back().ints);
    one.receives.counts.push_back(in * 6 / one.receives.kinds.back().ints);
  }
  one.send = lay_out(one.sends, varied && !to_all && one.which != gatherv, by_type, own);
  one.receive = lay_out(one.receives, varied && one.which != scatterv, by_type, own);
}

runtime::Operation operation(Case& one, Memory& receive, MPI_Comm comm) {
  runtime::Operation call;
  call.collective = one.which, call.comm = comm, call.root = one.root, call.in_place = one.in_place;
  if (one.which == barrier) return call;
  call.send.buffer = one.send.address();
  call.receive.buffer = receive.address();
  if (reduces(one.which)) {
    call.op = one.reduction.op;
    call.send.type = call.receive.type = one.reduction.type;
    call.send.count = call.receive.count = one.count;
    if (one.which == reduce_scatter) call.receive.counts = CountView(one.receives.counts.data());
    return call;
  }
  const auto fill = [](runtime::Side& side, const Blockwise& blocks, bool varied, bool by_type) {
    side.type = blocks.types[0];
    side.count = blocks.counts[0];
    if (varied)
      side.counts = CountView(blocks.counts.data()), side.displacements = CountView(blocks.displacements.data());
    if (by_type) side.types = blocks.types.data();
  };
  const bool by_type = one.which == alltoallw, all = by_type || one.which == alltoallv;
  fill(call.send, one.sends, all || one.which == scatterv, by_type);
  fill(call.receive, one.receives, all || one.which == gatherv || one.which == allgatherv, by_type);
  return call;
}

}  // namespace tutti::test
