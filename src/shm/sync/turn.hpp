#pragma once
/// Turns: what a collective is made of (slots.hpp), and who has to have left one.
#include <cstdint>

namespace tutti::shm {

using Turn = std::uint64_t;

/// What memory of a member's was used for last, or still is.
struct Use {
  static constexpr int everybody = -1, nobody = -2;

  Turn turn = 0;
  int reader = nobody;  ///< the one member that reads it, or one of the two above
};

}  // namespace tutti::shm
