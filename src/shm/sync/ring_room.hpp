#pragma once
/// Room in a ring whose pieces are freed in the order in which they were taken, each in one piece.
#include <cstddef>

namespace tutti::shm {

inline constexpr std::size_t no_room = ~std::size_t{0};

/// Where a piece of `needed` units begins: behind the newest, which ends at `after`, or else at the ring's start.
/// `oldest`: where the oldest piece that is kept begins, the ring's length if there is none.
inline std::size_t room_in_ring(std::size_t length, std::size_t oldest, std::size_t after, std::size_t needed) {
  const bool wrapped = after <= oldest;  // and full where both are equal
  if ((wrapped ? oldest : length) - after >= needed) return after;
  return !wrapped && oldest >= needed ? 0 : no_room;
}

}  // namespace tutti::shm
