#pragma once
/// Deposits: long payloads of a member whose readers are late, so that it need not wait for them.
///
/// The backlog (backlog.hpp) does the same for short payloads.  A long one that finds its slot or its ring place taken,
/// or its reader not there, is copied into a ring of bytes that the member alone writes; what announces it says where.
/// So the root of a bcast or scatter, and those who only contribute to a reduce or gather, leave early with long
/// vectors too: Parsons' early exit (thesis, imbalance-tolerant collectives).
///
/// A deposit is made only once its reader has not come within a short time (Waiter::within): ranks that come together
/// never make one, and lose nothing.  Memory is bounded by the ring; where it is full, writers wait as they do without.
/// Pages are taken as they are needed first: while nobody is late, none.  The ring begins anew where it is empty, so
/// that the same pages are used again.
#include <cstddef>
#include <cstdint>
#include <deque>

#include "shm/group.hpp"
#include "shm/sync/turn.hpp"

namespace tutti::shm {

class Deposits {
 public:
  /// Bytes from the start of its owner's ring.
  using Position = std::uint64_t;
  static constexpr Position none = ~Position{0};

  /// `first`: member 0's ring; the others' follow.
  Deposits(std::byte* first, const ShmGroupOptions& options)
      : first_(first), me_(options.me), bytes_(options.deposits) {}

  /// Whether so many bytes may ever be deposited.
  bool hold(std::size_t payload) const { return payload != 0 && payload <= bytes_; }

  /// Frees those whose readers have left: `left(use)`.
  template <typename Left>
  void free(Left left) {
    while (!kept_.empty() && left(kept_.front().use)) kept_.pop_front();
  }
  /// Memory for so many bytes, until the readers of that use have left; `none` where there is no room.
  Position reserve(const Use& use, std::size_t payload);
  /// That member, or everybody, reads the one reserved last.
  void reads_newest(int reader) { kept_.back().use.reader = reader; }
  /// The one reserved last was not needed.
  void give_back() {
    next_ = kept_.back().begin;
    kept_.pop_back();
  }
  bool empty() const { return kept_.empty(); }
  const Use& oldest() const { return kept_.front().use; }

  std::byte* mine(Position position) const { return ring(me_) + position; }
  const std::byte* of(int member, Position position) const { return ring(member) + position; }

 private:
  struct Kept {
    Use use;
    std::size_t begin;
  };

  std::byte* ring(int member) const { return first_ + static_cast<std::size_t>(member) * bytes_; }

  std::byte* first_;
  int me_;
  std::size_t bytes_;
  std::deque<Kept> kept_;  ///< that have readers left, in the order of their turns
  std::size_t next_ = 0;   ///< where the next one may begin
};

}  // namespace tutti::shm
