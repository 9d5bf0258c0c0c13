#include "runtime/datatype/combiner.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "runtime/datatype/acceptance.hpp"
#include "runtime/datatype/operators.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"
#include "shm/copy/copy.hpp"

namespace tutti::runtime {
namespace {

/// Users' functions take an int.
constexpr std::int64_t most = std::numeric_limits<int>::max();
constexpr std::int64_t batch_bytes = 16 * 1024;

}  // namespace

Combiner::Combiner(MPI_Op op, const Typed& elements, shm::InstructionSet instructions) : op_(op), elements_(elements) {
  const TypeInfo& info = elements.info;
  const auto ours = operator_of(op);
  const Acceptance accepted = ours ? acceptance(op, elements.type, info) : Acceptance{};
  if (accepted.element) reducer_ = shm::kernel(*ours, *accepted.element, instructions);
  if (reducer_.apply) return;
  reducer_.apply = info.flat ? reduce_local : reduce_unpacked;
  reducer_.context = this;
  reducer_.unit = static_cast<std::size_t>(std::max<std::int64_t>(info.size, 1));
  reducer_.commutative = ours || commutative(op);
}

void Combiner::reduce(const void* in, void* inout, std::int64_t count) {
  const std::int64_t extent = elements_.info.extent;
  for (std::int64_t done = 0; done < count && error_ == MPI_SUCCESS; done += most)
    error_ = pmpi.Reduce_local(at(in, done * extent), at(inout, done * extent),
                               static_cast<int>(std::min(count - done, most)), elements_.type, op_);
}

/// Work on some elements at a time, at the bytes where they lie packed; errors end it.
template <typename Work>
void Combiner::in_batches(std::size_t count, Work work) noexcept {
  const auto all = static_cast<std::int64_t>(count);
  try {
    if (batch_ == 0) reserve();
    for (std::int64_t done = 0; done < all && error_ == MPI_SUCCESS; done += batch_)
      work(std::min(batch_, all - done), done * elements_.info.size);
  } catch (const MpiError& error) {
    error_ = error.code;
  } catch (const std::bad_alloc&) {
    error_ = MPI_ERR_NO_MEM;
  }
}

/// MPI leaves the result in the right operand.
void Combiner::reduce_local(void* self, const void* in, const void* inout, void* out, std::size_t count) noexcept {
  auto& combiner = *static_cast<Combiner*>(self);
  const std::int64_t size = combiner.elements_.info.size;
  if (out != in) {
    if (out != inout) shm::copy_bytes(out, inout, count * static_cast<std::size_t>(size));
    return combiner.reduce(in, out, static_cast<std::int64_t>(count));
  }
  combiner.in_batches(count, [&](std::int64_t now, std::int64_t offset) {
    const auto bytes = static_cast<std::size_t>(now * size);
    shm::copy_bytes(combiner.right_, at(inout, offset), bytes);
    combiner.reduce(at(in, offset), combiner.right_, now);
    shm::copy_bytes(at(out, offset), combiner.right_, bytes);
  });
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

void Combiner::reduce_unpacked(void* self, const void* in, const void* inout, void* out, std::size_t count) noexcept {
  auto& combiner = *static_cast<Combiner*>(self);
  const Typed& elements = combiner.elements_;
  combiner.in_batches(count, [&](std::int64_t now, std::int64_t offset) {
    unpack(elements, at(in, offset), now, combiner.left_);
    unpack(elements, at(inout, offset), now, combiner.right_);
    combiner.reduce(combiner.left_, combiner.right_, now);
    pack(elements, combiner.right_, now, at(out, offset));
  });
}

}  // namespace tutti::runtime
