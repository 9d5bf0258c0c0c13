#pragma once
/// Turns: the synchronisation steps of a collective (slots.hpp), and which readers have to leave them.
#include <cstdint>

namespace tutti::shm {

using Turn = std::uint64_t;

/// The last use of a part of a member's memory.
struct Use {
  static constexpr int everybody = -1, nobody = -2;

  Turn turn = 0;
  int reader = nobody;  ///< its only reader, or one of the two constants above
};

}  // namespace tutti::shm
