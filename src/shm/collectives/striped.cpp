/// Reduce and allreduce where the members share the work of combining.
///
/// A chunk takes two turns: contributions, of which member i combines stripe i of p, and results.  Contributions go
/// `lead` chunks ahead of the combining, and that goes `lead` ahead of the collecting, so that nobody waits for what
/// has just been asked for, and members that share a CPU do several chunks before they yield it.  Turns, lead 2, n = 5:
///     C0 C1  C2 R0  C3 R1  C4 R2  R3 R4
#include <algorithm>

#include "shm/collectives/collectives.hpp"

namespace tutti::shm {
namespace {

/// Contributing to chunk k takes a slot that was left when all had combined chunk k + 2 lead - depth / 2: three before.
constexpr std::size_t most_lead = Slots::depth < 8 ? 0 : (Slots::depth - 6) / 2;

class Striped {
 public:
  Striped(Slots& slots, const Reduction& work, int reader)
      : slots_(slots), work_(work), chunks_(slots, work), reader_(reader) {}

  void run() {
    first_ = slots_.take(2 * number_);
    if (reads()) slots_.expect(work_.out, work_.bytes());
    for (std::size_t chunk = 0; chunk < lead_; ++chunk) contribute(chunk);
    for (std::size_t chunk = 0; chunk < number_; ++chunk) {
      if (chunk + lead_ < number_) contribute(chunk + lead_);
      combine(chunk);
      if (chunk >= lead_) collect(chunk - lead_);
      // The next turn that I shall read; the results not yet collected follow.
      if (chunk + 1 < number_) slots_.leave(contribution(chunk + 1) - 1);
    }
    for (std::size_t chunk = number_ - lead_; chunk < number_; ++chunk) collect(chunk);
    slots_.leave(result(number_ - 1));
  }

 private:
  struct Stripe {
    std::size_t offset, count;  ///< bytes from the chunk's start; elements
  };

  Turn contribution(std::size_t chunk) const { return first_ + (chunk < lead_ ? chunk : 2 * chunk - lead_); }
  Turn result(std::size_t chunk) const {
    return first_ + (chunk + lead_ < number_ ? 2 * chunk + lead_ + 1 : number_ + chunk);
  }
  std::size_t offset(std::size_t chunk) const { return chunks_.first(chunk) * work_.op.unit; }

  Stripe stripe(std::size_t chunk, int member) const {
    const std::size_t length = chunks_.length(chunk), size = static_cast<std::size_t>(slots_.size());
    const std::size_t begin = length * static_cast<std::size_t>(member) / size;
    const std::size_t end = length * static_cast<std::size_t>(member + 1) / size;
    return {begin * work_.op.unit, end - begin};
  }

  /// All but my own stripe, which nobody else combines.
  void contribute(std::size_t chunk) {
    const Turn turn = contribution(chunk);
    const std::byte* const in = work_.in + offset(chunk);
    std::byte* const slot = slots_.writable(turn, in, chunks_.length(chunk) * work_.op.unit);
    const Stripe mine = stripe(chunk, slots_.me());
    const std::size_t after = mine.offset + mine.count * work_.op.unit;
    slots_.fill(slot, in, mine.offset);
    slots_.fill(slot + after, in + after, chunks_.length(chunk) * work_.op.unit - after);
    slots_.post(turn, Slots::everybody);
  }

  void combine(std::size_t chunk) {
    const Stripe mine = stripe(chunk, slots_.me());
    const std::size_t bytes = mine.count * work_.op.unit;
    std::byte* const shared = slots_.writable(result(chunk), work_.in + offset(chunk) + mine.offset, bytes);
    const bool aside = slots_.fills_non_temporal(bytes);
    std::byte* const sum = aside ? slots_.scratch(slots_.capacity()) : shared;
    const auto row = [&](int member) -> const std::byte* {
      if (member == slots_.me()) return work_.in + offset(chunk) + mine.offset;
      return slots_.await(member, contribution(chunk)) + mine.offset;
    };
    fold(work_.op, mine.count, slots_.size(), row, sum);
    if (aside) slots_.fill(shared, sum, bytes);
    slots_.post(result(chunk), reader_);
    // My own stripe while it is in the cache.
    if (reads()) slots_.land(work_.out + offset(chunk) + mine.offset, sum, bytes);
  }

  bool reads() const { return reader_ == Slots::everybody || reader_ == slots_.me(); }

  void collect(std::size_t chunk) {
    if (!reads()) return;
    for (int member = 0; member < slots_.size(); ++member) {
      if (member == slots_.me()) continue;
      const Stripe theirs = stripe(chunk, member);
      slots_.land(work_.out + offset(chunk) + theirs.offset, slots_.await(member, result(chunk)),
                  theirs.count * work_.op.unit);
    }
  }

  Slots& slots_;
  const Reduction& work_;
  const Chunks chunks_;
  const std::size_t number_ = chunks_.number(), lead_ = std::min(most_lead, number_);
  const int reader_;
  Turn first_ = 0;
};

}  // namespace

void reduce_striped(Slots& slots, const Reduction& work, int reader) {
  if (work.count == 0) return reduce_flat(slots, work, reader);
  Striped(slots, work, reader).run();
}

}  // namespace tutti::shm
