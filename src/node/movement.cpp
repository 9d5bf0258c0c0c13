/// Barrier, bcast and allgather: what one member posts, all others read.
#include <algorithm>
#include <limits>

#include "node/collectives.hpp"

namespace tutti::node {

void barrier(Slots& slots) {
  const Turn turn = slots.take();
  slots.writable(turn);
  slots.post(turn, Slots::everybody);
  slots.await_all(turn);
  slots.met(turn);
}

void bcast(Slots& slots, std::byte* buffer, std::size_t bytes, int root) {
  const std::size_t chunk = slots.capacity();
  const Turn turns = std::max<std::size_t>(1, (bytes + chunk - 1) / chunk);
  const Turn first = slots.take(turns);
  if (bytes == 0) return slots.leave(first);
  for (Turn turn = first; turn < first + turns; ++turn) {
    std::byte* const at = buffer + (turn - first) * chunk;
    const std::size_t length = std::min(chunk, bytes - (turn - first) * chunk);
    if (slots.me() == root) {
      copy_bytes(slots.writable(turn), at, length);
      slots.post(turn, Slots::everybody);
    } else {
      copy_bytes(at, slots.await(root, turn), length);
      slots.leave(turn);
    }
  }
  if (slots.me() == root) slots.leave(first + turns - 1);
}

namespace {

/// Chunks that a member posts before it has read the others' first, as in a reduction.
constexpr std::size_t ahead = Slots::depth / 2;

/// The blocks of an allgather, cut into chunks that fit a slot.
struct Cut {
  const Blocks& blocks;
  std::size_t chunk, fewest = std::numeric_limits<std::size_t>::max(), most = 0;

  Cut(const Slots& slots, const Blocks& blocks) : blocks(blocks), chunk(slots.capacity()) {
    if (blocks.sizes == nullptr) fewest = most = number(0);
    for (int member = 0; blocks.sizes != nullptr && member < slots.size(); ++member)
      fewest = std::min(fewest, number(member)), most = std::max(most, number(member));
  }
  std::size_t number(int member) const { return (blocks.size(member) + chunk - 1) / chunk; }
  std::byte* at(int member, std::size_t index) const { return blocks.at(member) + index * chunk; }
  std::size_t length(int member, std::size_t index) const {
    return std::min(chunk, blocks.size(member) - index * chunk);
  }
};

void copy_chunk(Slots& slots, const Cut& cut, Turn turn, std::size_t index) {
  if (index < cut.fewest) slots.await_all(turn);
  const auto copy = [&](int member) {
    if (index >= cut.number(member)) return;
    std::memcpy(cut.at(member, index), slots.await(member, turn), cut.length(member, index));
  };
  for (int member = slots.me() + 1; member < slots.size(); ++member) copy(member);
  for (int member = 0; member < slots.me(); ++member) copy(member);
}

}  // namespace

void allgather(Slots& slots, const Blocks& blocks) {
  const Cut cut(slots, blocks);
  const Turn first = slots.take(std::max<std::size_t>(cut.most, 1));
  const std::size_t mine = cut.number(slots.me());
  std::size_t posted = 0;
  for (std::size_t index = 0; index < cut.most; ++index) {
    for (; posted < std::min(mine, index + ahead); ++posted) {
      std::memcpy(slots.writable(first + posted), cut.at(slots.me(), posted), cut.length(slots.me(), posted));
      slots.post(first + posted, Slots::everybody);
    }
    copy_chunk(slots, cut, first + index, index);
    if (cut.most > 1 || cut.fewest == 0) slots.leave(first + index);
  }
  if (cut.most == 0) slots.leave(first);
  if (cut.most == 1 && cut.fewest == 1) slots.met(first);
}

}  // namespace tutti::node
