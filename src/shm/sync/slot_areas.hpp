#pragma once
/// Where each member's header, its slots and its part of the backlog lie in the shared memory.
///
/// An area a member: header, `slots_depth` slots, backlog.  A slot begins with the number of its turn and the note;
/// the payload follows in the same cache line.
#include <atomic>
#include <cstddef>
#include <utility>

#include "shm/group.hpp"
#include "shm/segment/segment.hpp"
#include "shm/sync/backlog.hpp"
#include "shm/sync/depth.hpp"
#include "shm/sync/slot_header.hpp"

namespace tutti::shm {

class SlotAreas {
 protected:
  using Header = SlotHeader;
  static constexpr std::size_t payload_offset = 16;
  static_assert(std::atomic<Turn>::is_always_lock_free);
  struct Sizes {
    std::size_t capacity, stride, ring, slots, area;
    explicit Sizes(const ShmGroupOptions& options);
  };

  SlotAreas(Segment segment, const ShmGroupOptions& options) : segment_(std::move(segment)), sizes_(options) {}

  std::byte* area(int member) const { return segment_.data() + static_cast<std::size_t>(member) * sizes_.area; }
  std::byte* slot(int member, Turn turn) const {
    return area(member) + sizeof(Header) + (turn % slots_depth) * sizes_.stride;
  }
  Header& header(int member) const { return *reinterpret_cast<Header*>(area(member)); }
  std::atomic<Turn>& progress(int member) const { return header(member).progress; }
  Bell& bell(int member) const { return header(member).bell; }
  std::atomic<Turn>& newest_ahead(int member) const { return header(member).newest_ahead; }
  std::atomic<Turn>& mark(int member, Turn turn) const {
    return *reinterpret_cast<std::atomic<Turn>*>(slot(member, turn));
  }
  std::atomic<Note>& slot_note(int member, Turn turn) const {
    return *reinterpret_cast<std::atomic<Note>*>(slot(member, turn) + sizeof(Turn));
  }

  Segment segment_;
  Sizes sizes_;
};

}  // namespace tutti::shm
