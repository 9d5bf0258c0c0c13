/// Scan and exscan: member i combines the contributions of the members up to itself, or before it.
#include <algorithm>

#include "node/collectives.hpp"

namespace tutti::node {
namespace {

constexpr std::size_t ahead = Slots::depth / 2;

/// Combines one chunk of the rows of members 0 .. rows-1.
void combine(Slots& slots, const Reduction& work, int rows, Turn turn, std::size_t first, std::size_t count) {
  const std::size_t offset = first * work.op.unit;
  const auto row = [&](int member) -> const std::byte* {
    return member == slots.me() ? work.in + offset : slots.await(member, turn);
  };
  fold(work.op, count, rows, row, work.out + offset);
}

/// Elements too long for a slot: one at a time, from the last member to the first; all take part in all.
void large_elements(Slots& slots, const Reduction& work, int rows) {
  const std::size_t unit = work.op.unit;
  std::byte* const other = slots.scratch(2 * unit);
  std::byte* const sum = other + unit;
  for (std::size_t element = 0; element < work.count; ++element) {
    for (int member = slots.size() - 1; member >= 0; --member) {
      if (member == slots.me()) std::memcpy(other, work.in + element * unit, unit);
      bcast(slots, other, unit, member);
      if (member == rows - 1) std::memcpy(sum, other, unit);
      if (member < rows - 1) work.op(other, sum, 1);
    }
    if (rows > 0) std::memcpy(work.out + element * unit, sum, unit);
  }
}

}  // namespace

void scan(Slots& slots, const Reduction& work, bool inclusive) {
  const int me = slots.me(), rows = inclusive ? me + 1 : me;
  if (work.op.unit > slots.capacity()) return large_elements(slots, work, rows);
  const Chunks chunks(work, slots.piece(work.bytes()));
  const std::size_t number = chunks.number();
  const Turn first = slots.take(std::max<std::size_t>(number, 1));
  const bool read = inclusive ? me > 0 : rows > 0, written = me + 1 < slots.size();
  if (number == 0) return slots.leave(first);
  for (std::size_t chunk = 0, posted = 0; chunk < number; ++chunk) {
    for (; written && posted < std::min(number, chunk + ahead); ++posted) {
      slots.fill(slots.writable(first + posted), work.in + chunks.first(posted) * work.op.unit,
                 chunks.length(posted) * work.op.unit);
      slots.post(first + posted, Slots::everybody);
    }
    if (read) combine(slots, work, rows, first + chunk, chunks.first(chunk), chunks.length(chunk));
    slots.leave(first + chunk);
  }
  if (inclusive && me == 0 && work.in != work.out) copy_bytes(work.out, work.in, work.bytes());
}

}  // namespace tutti::node
