/// Barrier and bcast.
#include <algorithm>

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
      std::memcpy(slots.writable(turn), at, length);
      slots.post(turn, Slots::everybody);
    } else {
      std::memcpy(at, slots.await(root, turn), length);
      slots.leave(turn);
    }
  }
  if (slots.me() == root) slots.leave(first + turns - 1);
}

}  // namespace tutti::node
