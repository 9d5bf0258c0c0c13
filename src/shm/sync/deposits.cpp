#include "shm/sync/deposits.hpp"

#include "shm/sync/ring_room.hpp"

namespace tutti::shm {

Deposits::Position Deposits::reserve(const Use& use, std::size_t payload) {
  constexpr std::size_t line = 64;
  if (!hold(payload)) return none;
  if (kept_.empty()) next_ = 0;
  const std::size_t oldest = kept_.empty() ? bytes_ : kept_.front().begin;
  const std::size_t begin = room_in_ring(bytes_, oldest, next_, payload);
  if (begin == no_room) return none;
  const std::size_t end = (begin + payload + line - 1) / line * line;
  next_ = end < bytes_ ? end : bytes_;
  kept_.push_back({use, begin});
  return begin;
}

}  // namespace tutti::shm
