#pragma once
/// Replaces src/shm/sync/waiting.hpp where the engine runs under the explorer: a member that changes a word that others
/// wait for, or that waits, hands control back, and the explorer decides which member continues.
#include <atomic>
#include <cstdint>

#include "shm/group.hpp"

namespace tutti::shm {

/// Ends a step of the running member.  It goes on once `*word` has reached `value` (at any time after), or, where
/// there is no word, whenever the explorer likes.  `other`: a second word, of which the same is enough.
void end_of_step(const std::atomic<std::uint64_t>* word, std::uint64_t value,
                 const std::atomic<std::uint64_t>* other = nullptr);

inline void pause() {}

struct Bell {
  std::atomic<std::uint32_t> sleepers;
  std::atomic<std::uint32_t> strokes;
};

inline void notify(Bell&) { end_of_step(nullptr, 0); }

class Waiter {
 public:
  Waiter(bool, Progress, Suspend) {}
  bool suspends() const { return false; }  // no wait of the engine may know the difference
  void until(const std::atomic<std::uint64_t>& word, std::uint64_t value, Bell&) { end_of_step(&word, value); }
  std::uint64_t until_either(const std::atomic<std::uint64_t>& word, const std::atomic<std::uint64_t>& other,
                             std::uint64_t value, Bell&) {
    end_of_step(&word, value, &other);
    return word;
  }
  bool briefly(const std::atomic<std::uint64_t>& word, std::uint64_t value) {
    end_of_step(nullptr, 0);
    return word >= value;
  }
  bool within(const std::atomic<std::uint64_t>& word, const std::atomic<std::uint64_t>& other, std::uint64_t value,
              std::size_t) {
    return briefly(word, value) || other >= value;
  }
  void progress_soon() {}
};

}  // namespace tutti::shm
