#pragma once
/// Backlog: holds a member's short payloads while readers still need its slots, so that it need not wait for them.
///
/// Beside its slots each member owns a ring of bytes, which it alone writes.  An *entry* looks like a slot: turn, note,
/// payload.  An index says where a turn's entry lies.  Readers look there when a turn is posted and the slot's mark is
/// not that turn's number.  The turns of slots and backlog interleave: as soon as a slot is free the writer takes it
/// again, and entries of earlier turns stay until their readers have left them.
///
/// Entries are freed in the order of their turns.  A place in the ring and one in the index are taken again only after
/// that, so that readers find both as they were written.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "shm/copy/store_policy.hpp"
#include "shm/sync/turn.hpp"

namespace tutti::shm {

class Backlog {
 public:
  static constexpr std::size_t payload_offset = 16;

  /// What a member's part of the memory takes for a ring of so many bytes; 0 without one.
  static constexpr std::size_t bytes(std::size_t ring) { return ring + places(ring) * sizeof(Place); }
  /// Longest payload that goes here; the ring holds 15 of them.
  static constexpr std::size_t longest(std::size_t ring) {
    constexpr std::size_t parts = 16, least = 48;
    if (ring < least + payload_offset) return 0;
    return ring / parts > least ? ring / parts : least;
  }

  /// `first`: member 0's part; the others' follow so many bytes apart.
  Backlog(std::byte* first, std::size_t stride, int me, std::size_t ring)
      : first_(first), stride_(stride), me_(me), ring_(ring), places_(places(ring)) {}

  // The writer.

  /// The payload of an entry for `turn`, of a length that is allowed; null where there is no room.
  std::byte* reserve(Turn turn, std::size_t payload);
  /// The reserved entry is complete.  A release store must announce it to readers after this.
  void keep(Turn turn, int reader, Note note);
  bool empty() const { return kept_.empty(); }
  const Use& oldest() const { return kept_.front().use; }
  /// Frees entries that their readers have left.
  void free_oldest() { kept_.pop_front(); }

  // Readers, of an entry that they have not left.

  const std::byte* payload(int member, Turn turn) const { return entry(member, turn) + payload_offset; }
  std::atomic<Note>& note(int member, Turn turn) const { return note_of_entry(entry(member, turn)); }

 private:
  using Place = std::atomic<std::uint32_t>;  ///< in units from the ring's start
  static constexpr std::size_t unit = 32;    ///< bytes: an entry with its first 16
  static_assert(Place::is_always_lock_free && sizeof(Place) == 4);
  struct Kept {
    Use use;
    std::size_t begin;  ///< in units
  };

  /// The index has a place for each of the shortest entries.
  static constexpr std::size_t places(std::size_t ring) { return ring / unit; }
  Place& place(int member, Turn turn) const {
    return reinterpret_cast<Place*>(first_ + static_cast<std::size_t>(member) * stride_ + ring_)[turn % places_];
  }
  std::byte* at(int member, std::size_t units) const {
    return first_ + static_cast<std::size_t>(member) * stride_ + units * unit;
  }
  std::byte* entry(int member, Turn turn) const {
    return at(member, place(member, turn).load(std::memory_order_relaxed));
  }
  static std::atomic<Note>& note_of_entry(std::byte* entry) {
    return *reinterpret_cast<std::atomic<Note>*>(entry + sizeof(Turn));
  }

  std::byte* first_;
  std::size_t stride_;
  int me_;
  std::size_t ring_, places_;
  std::deque<Kept> kept_;                 ///< my entries that have readers left, in the order of turns
  std::size_t reserved_ = 0, after_ = 0;  ///< units: where the entry that I fill begins; where the next one may
};

}  // namespace tutti::shm
