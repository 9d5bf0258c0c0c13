/// Reduce and allreduce where the members share the work of combining.
///
/// A chunk takes two turns: contributions, of which member i combines stripe i of p, and results.  The turns of
/// neighbouring chunks interlock, so that nobody waits for what has just been asked for:
///     C0  C1 R0  C2 R1  C3 R2 ... R(n-1)
#include "node/collectives.hpp"

namespace tutti::node {
namespace {

class Striped {
 public:
  Striped(Slots& slots, const Reduction& work, int reader)
      : slots_(slots), work_(work), chunks_(slots, work), reader_(reader) {}

  void run() {
    const std::size_t number = chunks_.number();
    first_ = slots_.take(2 * number);
    contribute(0);
    for (std::size_t chunk = 0; chunk < number; ++chunk) {
      if (chunk + 1 < number) contribute(chunk + 1);
      combine(chunk);
      if (chunk == 0) continue;
      collect(chunk - 1);
      slots_.leave(result(chunk - 1));
    }
    collect(number - 1);
    slots_.leave(result(number - 1));
  }

 private:
  struct Stripe {
    std::size_t offset, count;  ///< bytes from the chunk's start; elements
  };

  Turn contribution(std::size_t chunk) const { return first_ + (chunk == 0 ? 0 : 2 * chunk - 1); }
  Turn result(std::size_t chunk) const { return first_ + 2 * chunk + (chunk + 1 < chunks_.number() ? 2 : 1); }
  std::size_t offset(std::size_t chunk) const { return chunks_.first(chunk) * work_.op.unit; }

  Stripe stripe(std::size_t chunk, int member) const {
    const std::size_t length = chunks_.length(chunk), size = static_cast<std::size_t>(slots_.size());
    const std::size_t begin = length * static_cast<std::size_t>(member) / size;
    const std::size_t end = length * static_cast<std::size_t>(member + 1) / size;
    return {begin * work_.op.unit, end - begin};
  }

  void contribute(std::size_t chunk) {
    const Turn turn = contribution(chunk);
    std::memcpy(slots_.writable(turn), work_.in + offset(chunk), chunks_.length(chunk) * work_.op.unit);
    slots_.post(turn, Slots::everybody);
  }

  void combine(std::size_t chunk) {
    const Stripe mine = stripe(chunk, slots_.me());
    std::byte* const sum = slots_.writable(result(chunk));
    const auto row = [&](int member) -> const std::byte* {
      if (member == slots_.me()) return work_.in + offset(chunk) + mine.offset;
      return slots_.await(member, contribution(chunk)) + mine.offset;
    };
    fold(work_.op, mine.count, slots_.size(), row, sum);
    slots_.post(result(chunk), reader_);
  }

  void collect(std::size_t chunk) {
    if (reader_ != Slots::everybody && reader_ != slots_.me()) return;
    for (int member = 0; member < slots_.size(); ++member) {
      const Stripe theirs = stripe(chunk, member);
      std::memcpy(work_.out + offset(chunk) + theirs.offset, slots_.await(member, result(chunk)),
                  theirs.count * work_.op.unit);
    }
  }

  Slots& slots_;
  const Reduction& work_;
  const Chunks chunks_;
  const int reader_;
  Turn first_ = 0;
};

}  // namespace

void reduce_striped(Slots& slots, const Reduction& work, int reader) {
  if (work.count == 0) return reduce_flat(slots, work, reader);
  Striped(slots, work, reader).run();
}

}  // namespace tutti::node
