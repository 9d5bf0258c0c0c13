#pragma once
/// The choices between one copy and two of one member: one for each pattern of calls, each place of the data in the
/// caches and each range of lengths.
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "shm/copy/copy_choice.hpp"
#include "shm/copy/landing_policy.hpp"

namespace tutti::shm {

/// Communication pattern of a call, or kind of reduction.
enum class Pattern : std::uint8_t { all_to_all, from_root, to_one, reduce, allreduce, reduce_scatter };
inline constexpr std::size_t patterns = 6;

class CopyChoices {
 public:
  struct Found {
    CopyChoice* choice;
    std::uint32_t kind;  ///< which one of the pattern's it is
    bool near;           ///< the data lies in the core's own caches
  };
  /// What two copies go through is the long ring from now on: all choices are learnt anew, once.
  void note_long_ring(bool in_use) {
    if (in_use && !std::exchange(in_long_ring_, true)) learn_anew();
  }
  /// For `bytes` from `start` on, with choices from `least` bytes on; `passes`: bytes that such a call moves through
  /// caches.
  Found of(Pattern pattern, const std::byte* start, std::size_t bytes, std::size_t least, std::size_t passes,
           int members);

 private:
  void learn_anew();

  /// For blocks from the least length on, and four times that, and so on: the longer, the fewer calls to learn from.
  using ByLength = std::array<CopyChoice, 4>;
  static constexpr ByLength once_if_long{CopyChoice(false), CopyChoice(false), CopyChoice(true), CopyChoice(true)};
  static constexpr ByLength at_once{CopyChoice(true), CopyChoice(true), CopyChoice(true), CopyChoice(true)};
  /// Separate for data in the core's own caches, in the shared one, and (as far as is known) in neither.
  using ByCache = std::array<ByLength, 3>;
  static constexpr ByCache fresh{at_once, once_if_long, once_if_long};

  std::array<ByCache, patterns> choices_{fresh, fresh, fresh, fresh, fresh, fresh};
  RecentBuffers sources_;
  bool in_long_ring_ = false;
};

}  // namespace tutti::shm
