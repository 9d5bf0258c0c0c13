#pragma once
/// The counter: what schedules cost on the critical path, in the paper's terms (T = rounds alpha + moved beta +
/// reduced gamma).
#include <cstdint>
#include <functional>

#include "core/problem.hpp"

namespace tutti {

/// Each of the three is the longest path by itself, ranks being full duplex: a rank sends as many messages as it has
/// ports, receives as many, and reduces one run of elements at a time, in the order of its program.
struct Cost {
  std::int64_t rounds = 0;    ///< messages one after the other
  std::int64_t moved = 0;     ///< elements in messages one after the other
  std::int64_t reduced = 0;   ///< elements combined one after the other
  std::int64_t messages = 0;  ///< of all ranks together
  bool operator==(const Cost&) const = default;
};

/// Counts the schedules of all ranks.  Throws std::logic_error where they are not right (see verify).
Cost count(const Problem& problem, const std::function<Schedule(Context)>& schedule, int ports = 1);

}  // namespace tutti
