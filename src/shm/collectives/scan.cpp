/// Scan and exscan: member i combines the contributions of the members up to itself, or before it.
///
/// Short rows: each member combines all contributions itself.  Long rows: a chain of members, each of which adds its
/// own contribution to its predecessor's result; about m gamma for any p, nothing is combined twice.  In both cases the
/// bits are those of ((x0 (+) x1) (+) x2) (+) ...
#include <algorithm>

#include "shm/collectives/collectives.hpp"

namespace tutti::shm {
namespace {

constexpr std::size_t ahead = Slots::most_given;

/// Combines one chunk of the rows of members 0 .. rows-1, from the left.
void combine(Slots& slots, const Reduction& work, int rows, Turn turn, std::size_t first, std::size_t count) {
  const std::size_t offset = first * work.op.unit;
  const auto row = [&](int member) -> const std::byte* {
    return member == slots.me() ? work.in + offset : slots.await(member, turn);
  };
  std::byte* const out = work.out + offset;
  // In place: my own contribution must be kept until the end.
  std::byte* const between = work.in != work.out || rows <= slots.me() ? out : slots.scratch(slots.capacity());
  const std::byte* sum = row(0);
  if (rows == 1 && !slots.forfeits()) copy_bytes(out, sum, count * work.op.unit);
  for (int member = 1; member < rows; ++member) {
    std::byte* const to = member + 1 < rows ? between : out;
    work.op(sum, row(member), to, count);
    sum = to;
  }
}

int rows_of(const Slots& slots, bool inclusive) { return inclusive ? slots.me() + 1 : slots.me(); }

}  // namespace

void scan_large_elements(Slots& slots, const Reduction& work, bool inclusive) {
  const int rows = rows_of(slots, inclusive);
  const std::size_t unit = work.op.unit, copied = slots.forfeits() ? 0 : unit;
  std::byte* const other = slots.scratch(slots.forfeits() ? 0 : 2 * unit);
  std::byte* const sum = other + unit;
  for (std::size_t element = 0; element < work.count; ++element) {
    for (int member = 0; member < slots.size(); ++member) {
      if (member == slots.me()) std::memcpy(other, work.in + element * unit, copied);
      bcast(slots, other, unit, member);
      if (member == 0)
        std::memcpy(sum, other, copied);
      else if (member < rows)
        work.op(sum, other, sum, 1);
    }
    if (rows > 0) std::memcpy(work.out + element * unit, sum, copied);
  }
}

namespace {

class Chain {
 public:
  Chain(Slots& slots, const Reduction& work, bool inclusive)
      : slots_(slots), work_(work), inclusive_(inclusive), last_(slots.me() + 1 == slots.size()) {}

  void run() {
    const Chunks chunks(work_, piece());
    const Turn first = slots_.take(chunks.number());
    for (std::size_t chunk = 0; chunk < chunks.number(); ++chunk)
      link(first + chunk, chunks.first(chunk) * work_.op.unit, chunks.length(chunk));
  }

 private:
  /// Bytes of a piece.  Short pieces pass all members sooner; more pieces mean more waits.
  std::size_t piece() const {
    constexpr std::size_t least = 8 * 1024, most = 16 * 1024, parts = 16;
    return std::min(slots_.capacity(), std::clamp(work_.bytes() / parts, least, most));
  }

  void link(Turn turn, std::size_t offset, std::size_t count) {
    const std::byte* const mine = work_.in + offset;
    std::byte* const out = work_.out + offset;
    const std::byte* const before = slots_.me() > 0 ? slots_.await(slots_.me() - 1, turn) : nullptr;
    const std::byte* const sum = last_ ? nullptr : hand_on(turn, before, mine, count);
    if (slots_.forfeits()) return slots_.leave(turn);
    if (!inclusive_)
      copy_bytes(out, before, before != nullptr ? count * work_.op.unit : 0);
    else if (last_)
      work_.op(before, mine, out, count);
    else
      copy_bytes(out, sum, sum != out ? count * work_.op.unit : 0);
    slots_.leave(turn);
  }

  /// Combines my predecessor's result with my contribution; returns where the result lies.
  const std::byte* hand_on(Turn turn, const std::byte* before, const std::byte* mine, std::size_t count) {
    const int next = slots_.me() + 1;
    const std::size_t bytes = count * work_.op.unit;
    std::byte* const slot = slots_.writable(turn, mine, bytes);
    const bool aside = slots_.fills_non_temporal(bytes) && !slots_.waits_for_my_cpu(next);
    const std::byte* sum = mine;
    if (before != nullptr) {
      std::byte* const to = aside ? slots_.scratch(slots_.capacity()) : slot;
      work_.op(before, mine, to, count);
      sum = to;
    }
    if (sum != slot) slots_.fill(slot, sum, bytes);
    slots_.post(turn, next);
    return sum;
  }

  Slots& slots_;
  const Reduction& work_;
  const bool inclusive_, last_;
};

}  // namespace

void scan_chain(Slots& slots, const Reduction& work, bool inclusive) { Chain(slots, work, inclusive).run(); }

void scan_in_slots(Slots& slots, const Reduction& work, bool inclusive) {
  const int me = slots.me(), rows = rows_of(slots, inclusive);
  const Chunks chunks(work, slots.piece(work.bytes()));
  const std::size_t number = chunks.number();
  const Turn first = slots.take(std::max<std::size_t>(number, 1));
  const bool read = inclusive ? me > 0 : rows > 0, written = me + 1 < slots.size();
  if (number == 0) return slots.leave(first);
  for (std::size_t chunk = 0, posted = slots.gives() ? 0 : ahead; chunk < number; ++chunk) {
    for (; written && posted < std::min(number, chunk + ahead); ++posted) {
      const std::size_t bytes = chunks.length(posted) * work.op.unit;
      const std::byte* const from = work.in + chunks.first(posted) * work.op.unit;
      const Turn turn = first + posted;
      slots.fill(number > 1 ? slots.writable(turn, from, bytes) : slots.writable_ahead(turn, from, bytes), from, bytes);
      slots.post(first + posted, Slots::everybody);
    }
    if (!slots.takes()) return;
    if (read) combine(slots, work, rows, first + chunk, chunks.first(chunk), chunks.length(chunk));
    slots.leave(first + chunk);
  }
  if (inclusive && me == 0 && work.in != work.out && !slots.forfeits()) copy_bytes(work.out, work.in, work.bytes());
}

}  // namespace tutti::shm
