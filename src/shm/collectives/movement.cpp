/// Barrier, bcast and allgather: what one member posts, all others read.
#include <algorithm>

#include "shm/collectives/collectives.hpp"

namespace tutti::shm {

void barrier(Slots& slots) {
  const Turn turn = slots.take();
  if (slots.gives()) {
    slots.writable(turn);
    slots.post(turn, Slots::everybody);
  }
  if (!slots.takes()) return;
  slots.await_all(turn);
  slots.met(turn);
}

void bcast(Slots& slots, const Broadcast& work, Turn first) {
  const auto [buffer, room, bytes, root, payload] = work;
  const std::size_t chunk = slots.piece(bytes);
  const Turn turns = bytes <= chunk ? 1 : (bytes + chunk - 1) / chunk;
  if (turns > 1) slots.take(turns - 1);
  slots.expect(buffer, std::min(room, bytes));
  for (Turn turn = first; turn < first + turns; ++turn) {
    const std::size_t done = (turn - first) * chunk, length = std::min(chunk, bytes - done);
    if (slots.me() == root) {
      if (!slots.gives()) continue;
      const std::byte* const from = buffer + done;
      const bool ahead = turns == 1 || slots.deposits().hold(chunk);
      slots.fill(ahead ? slots.writable_ahead(turn, from, length) : slots.writable(turn, from, length), from, length);
      slots.post(turn, Slots::everybody, bytes);
    } else {
      const std::byte* const from = done == 0 && payload != nullptr ? payload : slots.await(root, turn);
      slots.read(root, turn, buffer + done, from, work.fits(done, length));
      slots.leave(turn);
    }
  }
  if (slots.me() == root) slots.leave(first + turns - 1);
}

void bcast(Slots& slots, std::byte* buffer, std::size_t bytes, int root) {
  bcast(slots, {buffer, bytes, bytes, root}, slots.take());
}

namespace {

constexpr std::size_t ahead = Slots::most_given;

/// The blocks of an allgather, cut into chunks that fit a slot.
class Cut {
 public:
  Cut(const Slots& slots, const Blocks& blocks, const OwnBlock& own)
      : blocks_(blocks), mine_(own.or_block(blocks.at(slots.me()))), chunk_(slots.capacity()) {
    std::size_t least = blocks.size(0), largest = least;
    for (int member = 1; blocks.sizes != nullptr && member < slots.size(); ++member)
      least = std::min(least, blocks.size(member)), largest = std::max(largest, blocks.size(member));
    fewest_ = chunks(least), most_ = chunks(largest), largest_ = largest;
  }
  std::size_t largest() const { return largest_; }
  /// Chunks of the shortest block, and of the longest.
  std::size_t fewest() const { return fewest_; }
  std::size_t most() const { return most_; }
  bool has(int member, std::size_t index) const { return index * chunk_ < blocks_.size(member); }
  std::byte* at(int member, std::size_t index) const { return blocks_.at(member) + index * chunk_; }
  const std::byte* mine(std::size_t index) const { return mine_ + index * chunk_; }
  std::size_t length(int member, std::size_t index) const {
    return std::min(chunk_, blocks_.size(member) - index * chunk_);
  }

 private:
  std::size_t chunks(std::size_t bytes) const { return bytes <= chunk_ ? bytes != 0 : (bytes + chunk_ - 1) / chunk_; }

  const Blocks& blocks_;
  const std::byte* mine_;
  std::size_t chunk_, fewest_ = 0, most_ = 0, largest_ = 0;
};

void post_chunk(Slots& slots, const Cut& cut, Turn turn, std::size_t index) {
  const std::size_t length = cut.length(slots.me(), index);
  slots.fill(slots.writable(turn, cut.mine(index), length), cut.mine(index), length);
  slots.post(turn, Slots::everybody);
}

void copy_chunk(Slots& slots, const Cut& cut, Turn turn, std::size_t index) {
  if (index < cut.fewest()) slots.await_all(turn);
  const auto copy = [&](int member) {
    if (cut.has(member, index))
      slots.read(member, turn, cut.at(member, index), slots.await(member, turn), cut.length(member, index));
  };
  for (int member = slots.me() + 1; member < slots.size(); ++member) copy(member);
  for (int member = 0; member < slots.me(); ++member) copy(member);
}

/// Equal blocks that fit the cache line of the turn number.
void allgather_short(Slots& slots, const Blocks& blocks, const OwnBlock& own) {
  const Turn turn = slots.take();
  const bool copies = !slots.forfeits();
  if (slots.gives()) {
    std::byte* const slot = slots.writable(turn);
    if (copies) [[likely]]
      copy_few(slot, own.or_block(blocks.at(slots.me())), blocks.block);
    slots.post(turn, Slots::everybody);
  }
  if (!slots.takes()) return;
  own.move();
  slots.await_all(turn);
  std::byte* to = blocks.start;
  for (int member = 0; copies && member < slots.size(); ++member, to += blocks.block)
    if (member != slots.me()) copy_few(to, slots.posted(member, turn), blocks.block);
  slots.met(turn);
}

}  // namespace

void allgather(Slots& slots, const Blocks& blocks, const OwnBlock& own) {
  if (blocks.sizes == nullptr && blocks.block != 0 && blocks.block <= Slots::line_bytes)
    return allgather_short(slots, blocks, own);
  const Cut cut(slots, blocks, own);
  const std::size_t number = cut.most();
  const Turn first = slots.take(std::max<std::size_t>(number, 1));
  const bool met = number == 1 && cut.fewest() == 1;
  slots.expect(blocks.start, cut.largest() * static_cast<std::size_t>(slots.size()));
  std::size_t posted = slots.gives() ? 0 : ahead;
  for (std::size_t index = 0; index < number; ++index) {
    for (; posted < index + ahead && cut.has(slots.me(), posted); ++posted)
      post_chunk(slots, cut, first + posted, posted);
    if (!slots.takes()) return;
    if (index == 0) own.move();
    copy_chunk(slots, cut, first + index, index);
    if (!met) slots.leave(first + index);
  }
  if (number == 0) slots.leave(first);
  if (met) slots.met(first);
}

}  // namespace tutti::shm
