/// Reduce and allreduce where the members share the work of combining.
///
/// A chunk takes two turns: contributions, of which member i combines stripe i of p, and results.  Contributions go
/// `lead` chunks ahead of the combining, and that goes `lead` ahead of the collecting, so that nobody waits for what
/// has just been asked for, and members that share a CPU do several chunks before they yield it.  Turns, lead 2, n = 5:
///     C0 C1  C2 R0  C3 R1  C4 R2  R3 R4
///
/// In a reduce, a member that only contributes does not wait for members who are late: before it combines anything, it
/// *withdraws*.  It deposits its contribution (deposits.hpp), its own stripes too, says so in R0, and leaves; the root
/// combines these stripes.  The root does not leave the contributions of the first chunks until it knows who has
/// withdrawn; it asks so late that the answer is there, and so early that nobody needs their slots yet.
#include <algorithm>
#include <array>
#include <vector>

#include "shm/collectives/collectives.hpp"

namespace tutti::shm {
namespace {

/// Contributing to chunk k takes a slot that was left when all had combined chunk k + 2 lead - depth / 2: three before.
/// (In the short rings of tests/shm/interleaving it works with less.)
constexpr std::size_t most_lead = Slots::depth < 8 ? Slots::depth / 4 : (Slots::depth - 6) / 2;

class Striped {
  static constexpr std::size_t has_withdrawn = 1;  ///< told with R0

 public:
  Striped(Slots& slots, const Reduction& work, int reader)
      : slots_(slots), work_(work), chunks_(slots, work), reader_(reader) {
    if (may_withdraw_ && reads()) withdrawn_.reserve(static_cast<std::size_t>(slots.size()));
  }

  void run() {
    first_ = slots_.take(2 * number_);
    if (reads()) slots_.expect(work_.out, work_.bytes());
    for (std::size_t chunk = 0; chunk < posted_first_; ++chunk) contribute(chunk);
    if (may_withdraw_ && !reads() && !slots_.forfeits() && !all_come_soon()) return withdraw();
    for (std::size_t chunk = 0; chunk < number_; ++chunk) {
      if (chunk != 0 && chunk + lead_ < number_) contribute(chunk + lead_);
      combine(chunk);
      if (chunk == known_after_ && may_withdraw_ && reads()) hear_who_has_withdrawn();
      if (chunk >= lead_) collect(chunk - lead_);
      // The next turn that I shall read; the results not yet collected follow.
      const bool keeps = may_withdraw_ && reads() && chunk < known_after_;
      if (chunk + 1 < number_ && !keeps) slots_.leave(contribution(chunk + 1) - 1);
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

  /// All but my own stripe, which nobody else combines.  What I post first finds slots that late members may still
  /// need from earlier calls.
  void contribute(std::size_t chunk) {
    const Turn turn = contribution(chunk);
    const std::byte* const in = work_.in + offset(chunk);
    const std::size_t bytes = chunks_.length(chunk) * work_.op.unit;
    const bool ahead = may_withdraw_ && chunk < posted_first_;
    std::byte* const slot = ahead ? slots_.writable_ahead(turn, in, bytes) : slots_.writable(turn, in, bytes);
    const Stripe mine = stripe(chunk, slots_.me());
    const std::size_t after = mine.offset + mine.count * work_.op.unit;
    slots_.fill(slot, in, mine.offset);
    slots_.fill(slot + after, in + after, bytes - after);
    slots_.post(turn, Slots::everybody);
    if (ahead) lies_at_[chunk] = slot;
  }

  bool all_come_soon() {
    for (int member = 0; member < slots_.size(); ++member)
      if (member != slots_.me() && !slots_.posts_soon(member, contribution(0), work_.bytes())) return false;
    return true;
  }

  /// The root has not left the turns that I have posted, and nobody reads my stripes there before R0 says so.
  void withdraw() {
    for (std::size_t chunk = 0; chunk < posted_first_; ++chunk) {
      const Stripe mine = stripe(chunk, slots_.me());
      copy_bytes(lies_at_[chunk] + mine.offset, work_.in + offset(chunk) + mine.offset, mine.count * work_.op.unit);
    }
    slots_.writable_ahead(result(0), 1);
    slots_.post(result(0), reader_, has_withdrawn);
    for (std::size_t chunk = posted_first_; chunk < number_; ++chunk) {
      const Turn turn = contribution(chunk);
      const std::byte* const in = work_.in + offset(chunk);
      const std::size_t bytes = chunks_.length(chunk) * work_.op.unit;
      slots_.fill(slots_.writable_ahead(turn, in, bytes), in, bytes);
      slots_.post(turn, Slots::everybody);
    }
    slots_.leave(result(number_ - 1));
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
    for (const int member : withdrawn_) combine_for(member, chunk);
  }

  /// The stripe of a member that has withdrawn.  In place, my own contribution must be kept until its turn in the
  /// order.
  void combine_for(int member, std::size_t chunk) {
    if (slots_.forfeits()) return;
    const Stripe theirs = stripe(chunk, member);
    const std::size_t at = offset(chunk) + theirs.offset;
    const auto row = [&](int other) -> const std::byte* {
      if (other == slots_.me()) return work_.in + at;
      return slots_.await(other, contribution(chunk)) + theirs.offset;
    };
    const bool direct = work_.in != work_.out || slots_.me() >= slots_.size() - 2;
    std::byte* const out = work_.out + at;
    fold(work_.op, theirs.count, slots_.size(), row, out, direct ? out : slots_.scratch(slots_.capacity()));
  }

  /// Who has withdrawn is known from now on; of the chunks so far their stripes are missing.
  void hear_who_has_withdrawn() {
    for (int member = 0; member < slots_.size(); ++member) {
      if (member == slots_.me()) continue;
      slots_.await(member, result(0));
      if (slots_.told(member, result(0), 0) == has_withdrawn) withdrawn_.push_back(member);
    }
    for (std::size_t chunk = 0; chunk <= known_after_; ++chunk)
      for (const int member : withdrawn_) combine_for(member, chunk);
  }

  bool reads() const { return reader_ == Slots::everybody || reader_ == slots_.me(); }

  void collect(std::size_t chunk) {
    if (!reads()) return;
    for (int member = 0; member < slots_.size(); ++member) {
      const bool withdrawn = std::find(withdrawn_.begin(), withdrawn_.end(), member) != withdrawn_.end();
      if (member == slots_.me() || withdrawn) continue;
      const Stripe theirs = stripe(chunk, member);
      slots_.land(work_.out + offset(chunk) + theirs.offset, slots_.await(member, result(chunk)),
                  theirs.count * work_.op.unit);
    }
  }

  Slots& slots_;
  const Reduction& work_;
  const Chunks chunks_;
  const std::size_t number_ = chunks_.number(), lead_ = std::min(most_lead, number_);
  const std::size_t posted_first_ = std::min(lead_ + 1, number_);           ///< chunks, before the first is combined
  const std::size_t known_after_ = std::min((lead_ + 1) / 2, number_ - 1);  ///< chunk: then the root hears
  const int reader_;
  const bool may_withdraw_ = reader_ != Slots::everybody && slots_.deposits().hold(work_.bytes());
  std::array<std::byte*, most_lead + 1> lies_at_{};  ///< my contributions to these
  std::vector<int> withdrawn_;                       ///< known to the root
  Turn first_ = 0;
};

}  // namespace

void reduce_striped(Slots& slots, const Reduction& work, int reader) {
  if (work.count == 0) return reduce_flat(slots, work, reader);
  Striped(slots, work, reader).run();
}

}  // namespace tutti::shm
