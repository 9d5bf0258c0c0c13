#pragma once
/// Simulated time, and what it was spent on.
#include <cmath>
#include <cstdint>

namespace tutti::simulation {

/// Picoseconds: integers, so that sums do not depend on their order.  They reach 106 days.
using Time = std::int64_t;
inline constexpr double per_second = 1e12;
/// Beyond this a simulation ends with an error: two such times can still be added.
inline constexpr Time longest = Time{1} << 61;

/// Rounded; `longest` for what is longer.
inline Time picoseconds(double seconds) {
  const double value = seconds * per_second;
  return value >= static_cast<double>(longest) ? longest : static_cast<Time>(std::llround(value));
}

/// What time on the critical path is spent on.  The rest of `at` is the late entry of the rank where the path begins.
enum class Part : std::uint8_t {
  latency,   ///< L
  overhead,  ///< o and s O
  transfer,  ///< s G
  waiting,   ///< for a network card, a link or a port that is busy; g
  work,      ///< reductions, copies, phases inside a node
  noise
};
inline constexpr int part_count = 6;

/// A point in time, and what the longest path to it consists of.
struct Stamp {
  Time at = 0;
  Time parts[part_count]{};

  void add(Part part, Time time) {
    at += time;
    parts[static_cast<int>(part)] += time;
  }
  /// Not before that time.
  void wait_until(Time time) {
    if (time > at) add(Part::waiting, time - at);
  }
  /// The later of both; this one where they are equal.
  void join(const Stamp& other) {
    if (other.at > at) *this = other;
  }
  Time part(Part which) const { return parts[static_cast<int>(which)]; }
};

}  // namespace tutti::simulation
