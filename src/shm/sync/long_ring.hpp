#pragma once
/// Long ring: where the payloads of a member's slots and ring places lie, if they are long.
///
/// A line that another core has read is in that core's own cache, and the writer has to take it from there before it
/// can store into it again: for each line of 64 bytes some 20 to 35 cycles between two cores that share a cache, three
/// times what the copy itself takes (Zen 4: two members that exchange 16 KiB take 2.5 us by slots used in turn, and 1.1
/// where the lines are in the shared cache alone).  So long payloads lie behind one another in a ring longer than the
/// cores' own caches hold: by the time a line is written again, the reader's cache has let go of it.
///
/// Only for payloads from buffers that were sent from a moment ago: programs that go through more memory than the
/// caches hold have moved the ring's lines out of the shared cache too, and slots are fewer (128 KiB from 64 sets of
/// buffers: 0.8 to 0.95 of the speed).
///
/// Its pages cost more than a few calls gain: 2 MiB take a millisecond where pages are dear, and spare as much in the
/// next thousand payloads of 16 KiB.  So they are taken once several ring-fulls of such payloads have passed, some at a
/// time, and for an eighth of the time that passes at most.  The ring is used when it has them all.  A program's first
/// groups take them as they are made.
///
/// A *holder* is a slot or a place: its turn number or chunk number announces the payload, says where in the ring it
/// lies, and rules when the memory may be used again.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shm/copy/landing_policy.hpp"
#include "shm/group.hpp"
#include "shm/sync/depth.hpp"
#include "shm/sync/topology.hpp"

namespace tutti::shm {

class LongRing {
 public:
  /// Where a payload lies, in bytes from its owner's ring's start.
  using Position = std::uint64_t;
  static constexpr Position none = ~Position{0};

  /// `first`: member 0's ring; the others' follow.
  LongRing(std::byte* first, const ShmGroupOptions& options)
      : first_(first),
        me_(options.me),
        bytes_(options.long_ring),
        least_(options.long_payload),
        for_all_(options.long_ring_after == 0),
        traffic_before_(options.long_ring_after * options.long_ring),
        mapped_(static_cast<std::size_t>(options.size), false) {
    if (options.long_ring_now && bytes_ != 0) take_pages(bytes_);
  }

  /// So many bytes from there go to another member, in whatever way.  Whether they are to lie here, if they pass
  /// through the shared memory.  `from`: null if they lie in several places.
  bool takes(const std::byte* from, std::size_t payload) {
    if (payload < least_ || payload > bytes_ || from == nullptr) return false;
    return (for_all_ || is_near(from, payload)) && pays(payload);
  }
  bool in_use() const { return in_use_; }
  /// The other members' pages too, once they all have taken them.
  void map_others();
  /// Of a member's payload that has been announced.
  const std::byte* announced(int member, Position position) {
    if (!mapped_[static_cast<std::size_t>(member)]) [[unlikely]]
      map_pages(member);
    return ring(member) + position;
  }

  /// Memory of mine for the next payload of that holder, whose last one is over; `none` while other holders need what
  /// comes next.  `over(i)`: whether everybody has read what slot i has announced.  A slot's payload is announced, and
  /// a place's `is_read_by` called, before the next one is reserved.
  template <typename Over>
  Position reserve(std::size_t holder, std::size_t payload, Over over) {
    const std::size_t begin = next_ + payload <= bytes_ ? next_ : 0, end = begin + payload;
    spans_[holder] = {};
    for (std::size_t i = 0; i < holders; ++i) {
      const Span& other = spans_[i];
      if (other.begin >= end || begin >= other.end) continue;
      const bool is_over = i < slots_depth ? over(i) : other.is_read();
      if (!is_over) return none;
    }
    spans_[holder] = {.begin = begin, .end = end};
    next_ = (end + alignment - 1) / alignment * alignment;
    return begin;
  }
  /// The place's payload is read once `read` has reached that number.
  void is_read_by(std::size_t place, const std::atomic<std::uint64_t>& read, std::uint64_t number) {
    spans_[place].read = &read, spans_[place].number = number;
  }

  std::byte* mine(Position position) const { return ring(me_) + position; }

  // Holders.
  static constexpr std::size_t slot(std::uint64_t turn) { return turn % slots_depth; }
  static constexpr std::size_t place(std::uint64_t number) { return slots_depth + number % lanes_depth; }

 private:
  static constexpr std::size_t holders = slots_depth + lanes_depth, alignment = 128;
  struct Span {
    std::size_t begin = 0, end = 0;
    const std::atomic<std::uint64_t>* read = nullptr;  ///< of a place
    std::uint64_t number = 0;

    bool is_read() const { return read->load(std::memory_order_acquire) >= number; }
  };

  bool is_near(const std::byte* from, std::size_t payload) {
    return recent_.landed_since(from, payload) <= bytes_of_own_cache();
  }
  bool pays(std::size_t payload) {
    if (!in_use_ && (passed_ += payload) >= traffic_before_) take_some_pages();
    return in_use_;
  }
  std::byte* ring(int member) const { return first_ + static_cast<std::size_t>(member) * bytes_; }
  void take_some_pages();
  void take_pages(std::size_t more);
  void map_pages(int member);

  std::byte* first_;
  int me_;
  std::size_t bytes_, least_;
  bool for_all_;
  std::size_t traffic_before_, passed_ = 0, next_ = 0;
  std::size_t taken_ = 0;         ///< bytes of mine that have pages
  std::uint64_t more_after_ = 0;  ///< the clock's cycles, before which no more pages are taken
  RecentBuffers recent_;
  bool in_use_ = false;
  std::vector<bool> mapped_;  ///< by member: its pages, in this process
  std::array<Span, holders> spans_{};
};

}  // namespace tutti::shm
