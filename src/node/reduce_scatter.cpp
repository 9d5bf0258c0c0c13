/// Reduce_scatter: member i combines everybody's block i.
#include <algorithm>

#include "node/collectives.hpp"

namespace tutti::node {
namespace {

/// Chunks that a member posts before it has combined the first (see reduction.cpp).
constexpr std::size_t ahead = Slots::depth / 2;

/// All blocks fit one slot: they travel as they lie, in one turn.
void in_one_turn(Slots& slots, const ReduceScatter& work) {
  const Turn turn = slots.take();
  copy_bytes(slots.writable(turn), work.in, work.blocks.total(slots.size()) * work.op.unit);
  slots.post(turn, Slots::everybody);
  slots.await_all(turn);
  const std::size_t offset = work.blocks.first(slots.me()) * work.op.unit;
  const auto row = [&](int member) { return (member == slots.me() ? work.in : slots.await(member, turn)) + offset; };
  fold(work.op, work.blocks.count(slots.me()), slots.size(), row, work.out);
  slots.met(turn);
}

/// A turn moves up to `each` elements of every block; a slot has a place for each reader.
class InChunks {
 public:
  InChunks(Slots& slots, const ReduceScatter& work, std::size_t each) : slots_(slots), work_(work), each_(each) {}

  void run() {
    const std::size_t number = (work_.blocks.most(slots_.size()) + each_ - 1) / each_;
    first_ = slots_.take(number);
    for (std::size_t chunk = 0, posted = 0; chunk < number; ++chunk) {
      for (; posted < std::min(number, chunk + ahead); ++posted) contribute(posted);
      combine(chunk);
      slots_.leave(first_ + chunk);
    }
  }

 private:
  std::size_t place(int member) const { return static_cast<std::size_t>(member) * each_ * work_.op.unit; }
  /// Elements of the member's block in this chunk.
  std::size_t length(int member, std::size_t chunk) const {
    const std::size_t count = work_.blocks.count(member), done = std::min(count, chunk * each_);
    return std::min(each_, count - done);
  }
  const std::byte* own(std::size_t first, std::size_t chunk) const {
    return work_.in + (first + chunk * each_) * work_.op.unit;
  }

  void contribute(std::size_t chunk) {
    std::byte* const slot = slots_.writable(first_ + chunk);
    std::size_t first = 0;
    for (int member = 0; member < slots_.size(); first += work_.blocks.count(member++))
      if (const std::size_t elements = member == slots_.me() ? 0 : length(member, chunk); elements != 0)
        std::memcpy(slot + place(member), own(first, chunk), elements * work_.op.unit);
    slots_.post(first_ + chunk, Slots::everybody);
  }

  void combine(std::size_t chunk) {
    const int me = slots_.me();
    const std::size_t elements = length(me, chunk);
    if (elements == 0) return;
    const auto row = [&](int member) {
      return member == me ? own(own_first_, chunk) : slots_.await(member, first_ + chunk) + place(me);
    };
    fold(work_.op, elements, slots_.size(), row, work_.out + chunk * each_ * work_.op.unit);
  }

  Slots& slots_;
  const ReduceScatter& work_;
  const std::size_t each_, own_first_ = work_.blocks.first(slots_.me());
  Turn first_ = 0;
};

/// Elements so long, or members so many, that a slot has no place for each.
void block_after_block(Slots& slots, const ReduceScatter& work) {
  for (int member = 0; member < slots.size(); ++member) {
    const Reduction block{work.in + work.blocks.first(member) * work.op.unit, work.out, work.blocks.count(member),
                          work.op};
    (work.op.unit > slots.capacity() ? reduce_large_elements : reduce_flat)(slots, block, member);
  }
}

}  // namespace

void reduce_scatter(Slots& slots, const ReduceScatter& work) {
  const std::size_t total = work.blocks.total(slots.size()) * work.op.unit;
  const std::size_t each = slots.capacity() / (work.op.unit * static_cast<std::size_t>(slots.size()));
  if (total <= slots.capacity())
    in_one_turn(slots, work);
  else if (each > 0)
    InChunks(slots, work, each).run();
  else
    block_after_block(slots, work);
}

}  // namespace tutti::node
