#include "shm/sync/deposits.hpp"

namespace tutti::shm {

/// In one piece: behind the newest one, or else at the ring's start.
Deposits::Position Deposits::reserve(const Use& use, std::size_t payload) {
  constexpr std::size_t line = 64;
  if (!hold(payload)) return none;
  if (kept_.empty()) next_ = 0;
  const std::size_t oldest = kept_.empty() ? bytes_ : kept_.front().begin;
  const bool wrapped = next_ <= oldest;  // and full where both are equal
  std::size_t begin = next_;
  if ((wrapped ? oldest : bytes_) - next_ < payload) {
    if (wrapped || oldest < payload) return none;
    begin = 0;
  }
  const std::size_t end = (begin + payload + line - 1) / line * line;
  next_ = end < bytes_ ? end : bytes_;
  kept_.push_back({use, begin});
  return begin;
}

}  // namespace tutti::shm
