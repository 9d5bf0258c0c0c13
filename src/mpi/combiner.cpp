#include "mpi/combiner.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "mpi/errors.hpp"
#include "mpi/operators.hpp"
#include "mpi/pmpi.hpp"

namespace tutti::mpi {
namespace {

/// Integers alone: sums of floating-point numbers keep the first operand's NaN, minima the first operand's zero.
bool bits_commute(const TypeInfo& info) {
  return info.kind == TypeInfo::Kind::integer || info.kind == TypeInfo::Kind::byte;
}

/// Users' functions take an int.
constexpr std::int64_t most = std::numeric_limits<int>::max();
constexpr std::int64_t batch_bytes = 16 * 1024;

}  // namespace

Combiner::Combiner(MPI_Op op, const Typed& elements) : op_(op), elements_(elements) {
  const TypeInfo& info = elements.info;
  const auto ours = operator_of(op);
  if (ours && info.element && info.flat) reducer_ = node::kernel(*ours, *info.element);
  symmetric_ = ours && bits_commute(info);
  if (reducer_.apply) return;
  reducer_.apply = info.flat ? reduce_local : reduce_unpacked;
  reducer_.context = this;
  reducer_.unit = static_cast<std::size_t>(info.size);
  reducer_.commutative = ours || commutative(op);
}

void Combiner::reduce(const void* in, void* inout, std::int64_t count) {
  const std::int64_t extent = elements_.info.extent;
  for (std::int64_t done = 0; done < count && error_ == MPI_SUCCESS; done += most)
    error_ = pmpi.Reduce_local(at(in, done * extent), at(inout, done * extent),
                               static_cast<int>(std::min(count - done, most)), elements_.type, op_);
}

void Combiner::reduce_local(void* self, const void* in, void* inout, std::size_t count) {
  static_cast<Combiner*>(self)->reduce(in, inout, static_cast<std::int64_t>(count));
}

/// Room for some elements as they lie in memory; their bytes may begin before the first and end after the last.
void Combiner::reserve() {
  const TypeInfo& info = elements_.info;
  const std::int64_t stride = std::max<std::int64_t>(std::abs(info.extent), 1);
  batch_ = std::max<std::int64_t>(batch_bytes / std::max(stride, info.true_extent), 1);
  const std::int64_t ahead = (batch_ - 1) * info.extent;
  // Operands keep the alignment that the type's offsets were made for.
  const std::int64_t lower = (info.true_lower + std::min<std::int64_t>(ahead, 0)) & ~std::int64_t{63};
  const std::int64_t upper = info.true_lower + info.true_extent + std::max<std::int64_t>(ahead, 0);
  const std::int64_t room = (upper - lower + 63) & ~std::int64_t{63};
  memory_.resize(static_cast<std::size_t>(2 * room + 64));
  const auto start = reinterpret_cast<std::uintptr_t>(memory_.data());
  left_ = at(memory_.data(), static_cast<std::int64_t>(-start & 63) - lower);
  right_ = left_ + room;
}

void Combiner::reduce_unpacked(void* self, const void* in, void* inout, std::size_t count) noexcept {
  auto& combiner = *static_cast<Combiner*>(self);
  const Typed& elements = combiner.elements_;
  const auto* from = static_cast<const std::byte*>(in);
  auto* into = static_cast<std::byte*>(inout);
  const auto all = static_cast<std::int64_t>(count);
  try {
    if (combiner.batch_ == 0) combiner.reserve();
    for (std::int64_t done = 0; done < all && combiner.error_ == MPI_SUCCESS; done += combiner.batch_) {
      const std::int64_t now = std::min(combiner.batch_, all - done), offset = done * elements.info.size;
      unpack(elements, from + offset, now, combiner.left_);
      unpack(elements, into + offset, now, combiner.right_);
      combiner.reduce(combiner.left_, combiner.right_, now);
      pack(elements, combiner.right_, now, into + offset);
    }
  } catch (const MpiError& error) {
    combiner.error_ = error.code;
  } catch (const std::bad_alloc&) {
    combiner.error_ = MPI_ERR_NO_MEM;
  }
}

}  // namespace tutti::mpi
