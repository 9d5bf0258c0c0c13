#include "shm/sync/backlog.hpp"

#include "shm/sync/ring_room.hpp"

namespace tutti::shm {

/// Entries lie in one piece: behind the newest one, or else at the ring's start.
std::byte* Backlog::reserve(Turn turn, std::size_t payload) {
  if (kept_.empty())
    after_ = 0;
  else if (turn - kept_.front().use.turn >= places_)
    return nullptr;
  const std::size_t needed = (payload_offset + payload + unit - 1) / unit;
  const std::size_t oldest = kept_.empty() ? places_ : kept_.front().begin;
  const std::size_t begin = room_in_ring(places_, oldest, after_, needed);
  if (begin == no_room) return nullptr;
  reserved_ = begin;
  after_ = reserved_ + needed;
  return at(me_, reserved_) + payload_offset;
}

void Backlog::keep(Turn turn, int reader, Note note) {
  std::byte* const entry = at(me_, reserved_);
  reinterpret_cast<std::atomic<Turn>*>(entry)->store(turn, std::memory_order_relaxed);
  note_of_entry(entry).store(note, std::memory_order_relaxed);
  place(me_, turn).store(static_cast<std::uint32_t>(reserved_), std::memory_order_relaxed);
  kept_.push_back({{turn, reader}, reserved_});
}

}  // namespace tutti::shm
