/// Reduce_scatter: member i combines everybody's block i.
#include <algorithm>

#include "shm/collectives/collectives.hpp"
#include "shm/collectives/cut.hpp"

namespace tutti::shm {
namespace {

/// The others' blocks, each at its place; nobody reads my own from my slot.
void contribute_all(Slots& slots, const ReduceScatter& work, std::byte* slot) {
  const std::size_t unit = work.op.unit;
  const auto fill = [&](std::size_t first, std::size_t place, std::size_t count) {
    slots.fill(slot + first * unit, work.in + place * unit, count * unit);
  };
  if (work.blocks.places == nullptr) {
    const std::size_t before = work.blocks.first(slots.me()), after = before + work.blocks.count(slots.me());
    fill(0, 0, before);
    fill(after, after, work.blocks.total(slots.size()) - after);
    return;
  }
  for (int member = 0; member < slots.size(); ++member)
    if (member != slots.me()) fill(work.blocks.first(member), work.blocks.place(member), work.blocks.count(member));
}

}  // namespace

/// Who gets nothing waits for nobody; then the others cannot take it that everybody has met, and all publish that they
/// leave.
void reduce_scatter_packed(Slots& slots, const ReduceScatter& work) {
  const Turn turn = slots.take();
  if (slots.gives()) {
    contribute_all(slots, work, slots.writable(turn, work.in, work.blocks.total(slots.size()) * work.op.unit));
    slots.post(turn, Slots::everybody);
  }
  if (!slots.takes()) return;
  if (const std::size_t elements = work.blocks.count(slots.me()); elements != 0) {
    slots.await_all(turn);
    const std::size_t offset = work.blocks.first(slots.me()) * work.op.unit;
    const std::byte* const own = work.in + work.blocks.place(slots.me()) * work.op.unit;
    const auto row = [&](int member) { return member == slots.me() ? own : slots.await(member, turn) + offset; };
    fold(work.op, elements, slots.size(), row, work.out);
  }
  if (work.blocks.least(slots.size()) != 0)
    slots.met(turn);
  else
    slots.leave(turn);
}

namespace {

class InPieces {
 public:
  InPieces(Slots& slots, const ReduceScatter& work)
      : slots_(slots),
        work_(work),
        cut_(slots.capacity(), static_cast<std::size_t>(slots.size()), work.blocks.most(slots.size()) * work.op.unit,
             work.op.unit) {}

  void run() {
    const std::size_t passes = (work_.blocks.most(slots_.size()) + cut_.each - 1) / cut_.each;
    const std::size_t number = passes * pass_;
    first_ = slots_.take(number);
    for (std::size_t turn = 0, posted = 0; turn < number; ++turn) {
      for (; posted < std::min(number, turn + Cut::ahead); ++posted) contribute(posted);
      if (turn % pass_ == static_cast<std::size_t>(slots_.me()) / cut_.together) combine(turn);
      slots_.leave(first_ + turn);
    }
  }

 private:
  std::size_t place(int member) const {
    return static_cast<std::size_t>(member) % cut_.together * cut_.each * work_.op.unit;
  }
  /// Elements of the member's block in earlier passes.
  std::size_t done(std::size_t turn) const { return turn / pass_ * cut_.each; }
  /// Elements of the member's block in this turn's pass.
  std::size_t length(int member, std::size_t turn) const {
    const std::size_t count = work_.blocks.count(member);
    return std::min(cut_.each, count - std::min(count, done(turn)));
  }
  /// My contribution to the block that begins with element `first`.
  const std::byte* own(std::size_t first, std::size_t turn) const {
    return work_.in + (first + done(turn)) * work_.op.unit;
  }

  void contribute(std::size_t turn) {
    std::byte* const slot = slots_.writable(first_ + turn, work_.in, cut_.together * cut_.each * work_.op.unit);
    const int begin = static_cast<int>(turn % pass_ * cut_.together);
    const int end = std::min(slots_.size(), begin + static_cast<int>(cut_.together));
    for (int member = begin; member < end; ++member)
      if (const std::size_t elements = member == slots_.me() ? 0 : length(member, turn); elements != 0)
        slots_.fill(slot + place(member), own(work_.blocks.place(member), turn), elements * work_.op.unit);
    slots_.post(first_ + turn, Slots::everybody);
  }

  void combine(std::size_t turn) {
    const int me = slots_.me();
    const std::size_t elements = length(me, turn);
    if (elements == 0) return;
    const auto row = [&](int member) {
      return member == me ? own(own_first_, turn) : slots_.await(member, first_ + turn) + place(me);
    };
    fold(work_.op, elements, slots_.size(), row, work_.out + done(turn) * work_.op.unit);
  }

  Slots& slots_;
  const ReduceScatter& work_;
  const Cut cut_;
  const std::size_t pass_ = (static_cast<std::size_t>(slots_.size()) + cut_.together - 1) / cut_.together;
  const std::size_t own_first_ = work_.blocks.place(slots_.me());
  Turn first_ = 0;
};

}  // namespace

void reduce_scatter_in_pieces(Slots& slots, const ReduceScatter& work) { InPieces(slots, work).run(); }

void reduce_scatter_blocks(Slots& slots, const ReduceScatter& work) {
  for (int member = 0; member < slots.size(); ++member) {
    const Reduction block{work.in + work.blocks.place(member) * work.op.unit, work.out, work.blocks.count(member),
                          work.op};
    (work.op.unit > slots.capacity() ? reduce_large_elements : reduce_flat)(slots, block, member);
  }
}

}  // namespace tutti::shm
