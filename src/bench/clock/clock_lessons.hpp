#pragma once
/// The order of clock synchronisation: which rank learns the global clock from which.
#include <vector>

namespace tutti::bench {

struct Lesson {
  int teacher = 0, learner = 0;  ///< places among those that take part; 0 has the global clock
  bool operator==(const Lesson&) const = default;
};

/// The lessons that place `me` of `count` takes part in, in order.  HCA3: floor(log2 count) rounds from the root down,
/// in each of which everybody who knows the clock teaches one who does not, and one round more for the places beyond
/// the power of two.  A learner's teacher has learned before.  Hunold & Carpen-Amarie, CLUSTER 2018.
std::vector<Lesson> clock_lessons(int me, int count);

}  // namespace tutti::bench
