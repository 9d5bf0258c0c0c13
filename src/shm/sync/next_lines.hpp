#pragma once
/// Prefetches the slot that is filled next, for writing, when the one before it is posted.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "shm/copy/store_policy.hpp"

namespace tutti::shm {

/// Longer payloads come in a row of turns, and writer and readers work at once.
inline constexpr std::size_t longest_of_a_turn = 16 * 1024;

/// The next turn's slot may hold what this one's holds, or the last one's: programs make one call again and again, or
/// two by turns, as those who measure a call put a barrier before it.  Its lines are still in the caches of those who
/// read them last: taking them back now, while others read or compute, spares the next post that wait.
class NextLines {
 public:
  /// Up to there I have filled the slot that I post next; null where its lines are not worth asking for.
  void filled_to(const std::byte* end) { filled_to_ = end; }

  /// `posted`, `next`: slots.  `only_this`: the length of the post before is left out.
  void ask(const std::byte* posted, const std::byte* next, bool only_this) {
    constexpr std::size_t line = 64;
    const std::size_t now = filled_to_ != nullptr ? static_cast<std::size_t>(filled_to_ - posted) : line;
    const std::size_t before = std::exchange(used_before_, now), used = only_this ? now : std::max(before, now);
    filled_to_ = nullptr;
    if (used <= longest_of_a_turn + line)
      for (std::size_t at = 0; at < used; at += line) ask_for_line(next + at);
  }

 private:
  const std::byte* filled_to_ = nullptr;
  std::size_t used_before_ = 0;  ///< bytes of my slot that the turn posted last has used
};

}  // namespace tutti::shm
