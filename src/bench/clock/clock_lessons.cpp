#include "bench/clock/clock_lessons.hpp"

#include <bit>

namespace tutti::bench {

std::vector<Lesson> clock_lessons(int me, int count) {
  const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(count)));
  std::vector<Lesson> lessons;
  for (int whole = power; whole > 1 && me < power; whole /= 2) {
    const int half = whole / 2;
    if (me % whole == 0) lessons.push_back({me, me + half});
    if (me % whole == half) lessons.push_back({me - half, me});
  }
  if (me >= power) lessons.push_back({me - power, me});
  if (me < power && me + power < count) lessons.push_back({me, me + power});
  return lessons;
}

}  // namespace tutti::bench
