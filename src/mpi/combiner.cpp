#include "mpi/combiner.hpp"

#include <algorithm>
#include <limits>

#include "mpi/operators.hpp"
#include "mpi/pmpi.hpp"

namespace tutti::mpi {
namespace {

/// Integers alone: sums of floating-point numbers keep the first operand's NaN, minima the first operand's zero.
bool bits_commute(const TypeInfo& info) {
  return info.kind == TypeInfo::Kind::integer || info.kind == TypeInfo::Kind::byte;
}

}  // namespace

Combiner::Combiner(MPI_Op op, MPI_Datatype type, const TypeInfo& info) : op_(op), type_(type), extent_(info.extent) {
  const auto ours = operator_of(op);
  if (ours && info.element && info.flat) reducer_ = node::kernel(*ours, *info.element);
  symmetric_ = ours && bits_commute(info);
  if (reducer_.apply) return;
  reducer_.apply = reduce_local;
  reducer_.context = this;
  reducer_.unit = static_cast<std::size_t>(info.extent);
  reducer_.commutative = ours || commutative(op);
}

// Users' functions take an int: never more than INT_MAX elements at once.
void Combiner::reduce_local(void* self, const void* in, void* inout, std::size_t count) {
  auto& combiner = *static_cast<Combiner*>(self);
  constexpr std::size_t most = std::numeric_limits<int>::max();
  auto* left = static_cast<const std::byte*>(in);
  auto* right = static_cast<std::byte*>(inout);
  while (count > 0 && combiner.error_ == MPI_SUCCESS) {
    const std::size_t now = std::min(count, most);
    combiner.error_ = pmpi.Reduce_local(left, right, static_cast<int>(now), combiner.type_, combiner.op_);
    left += static_cast<std::int64_t>(now) * combiner.extent_;
    right += static_cast<std::int64_t>(now) * combiner.extent_;
    count -= now;
  }
}

}  // namespace tutti::mpi
