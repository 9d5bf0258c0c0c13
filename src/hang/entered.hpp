#pragma once
/// A call in the ring of its thread, from its beginning to its end.  It costs a dozen plain stores into one cache line:
/// no clock, no locked instruction.
#include <atomic>
#include <cstring>

#include "hang/memory.hpp"

namespace tutti::hang {

/// What the caller's arguments say of a call.
struct Facts {
  const void *site, *frame;  ///< return address; stack pointer before the call
  std::int64_t count = -1;
  std::uint64_t type = 0, op = 0;
  std::int32_t root = -1;
};

/// The value of a handle, which is an integer or a pointer.
template <class Handle>
std::uint64_t bits(Handle handle) {
  std::uint64_t value = 0;
  static_assert(sizeof handle <= sizeof value);
  std::memcpy(&value, &handle, sizeof handle);
  return value;
}

#ifdef TUTTI_RANKS_ARE_CONTEXTS  // SMPI: one process, one thread; the simulator tells of deadlocks itself
inline constexpr bool calls_are_shown = false;
class Entered {
 public:
  Entered(Communicator &, std::uint8_t, const Facts &) {}
  ~Entered() {}
  Entered(const Entered &) = delete;
};
#else
inline constexpr bool calls_are_shown = true;
class Entered {
 public:
  /// `code` as in Record.  Numbers the call on its communicator.
  [[gnu::always_inline]] Entered(Communicator& communicator, std::uint8_t code, const Facts& facts)
      : record_(write(communicator, next(communicator), code, facts)) {}
  /// A call that has no number: those of one communicator come in any order.
  [[gnu::always_inline]] Entered(std::uint8_t code, const Facts& facts) : record_(write(nowhere(), 0, code, facts)) {}
  [[gnu::always_inline]] ~Entered() { record_.progress = static_cast<std::uint8_t>(Progress::left); }
  Entered(const Entered&) = delete;

 private:
  /// Threads that make calls at once do so on several communicators; but those that have no entry share one.
  [[gnu::always_inline]] static std::uint64_t next(Communicator& communicator) {
    const std::atomic_ref<std::uint64_t> entered(communicator.entered);
    const std::uint64_t number = entered.load(std::memory_order_relaxed) + 1;
    entered.store(number, std::memory_order_relaxed);
    return number;
  }
  [[gnu::always_inline]] static Record& write(const Communicator& communicator, std::uint64_t sequence,
                                              std::uint8_t code, const Facts& facts) {
    Ring& ring = ring_of_thread ? *ring_of_thread : claim_ring();
    const std::uint64_t position = ring.next++;
    Record& record = ring.records[position % most_records];
    std::atomic_ref<std::uint64_t> stamp(record.stamp);
    stamp.store(0, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the order of stores is the compiler's only (x86)
#ifndef __x86_64__
    std::atomic_thread_fence(std::memory_order_release);
#endif
    record.sequence = sequence;
    record.site = reinterpret_cast<std::uint64_t>(facts.site),
    record.frame = reinterpret_cast<std::uint64_t>(facts.frame);
    record.count = facts.count;
    record.type = facts.type, record.op = facts.op;
    record.root = facts.root;
    record.communicator = static_cast<std::uint16_t>(communicator.index);
    record.code = code;
    record.progress = static_cast<std::uint8_t>(Progress::inside);
    stamp.store(position + 1, std::memory_order_release);
    return record;
  }

  Record& record_;
};
#endif

}  // namespace tutti::hang
