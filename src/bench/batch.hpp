#pragma once
/// How many calls are timed together: a single short call is dominated by the reading of clocks and the skew of a
/// start.
#include <array>

namespace tutti::bench {

inline constexpr int most_in_batch = 32;  ///< of cold calls never more than there are buffer sets: each has its own
inline constexpr double longest_batch = 4e-3;  ///< seconds: about a time slice

/// Estimates of two variants before they are measured.
struct Pace {
  std::array<double, 2> seconds;  ///< of a call among calls back to back
  double skew;                    ///< seconds by which ranks start apart
  bool same_function;             ///< in both variants, as of one MPI's under two settings
  int most;                       ///< calls in a batch, at most
};

/// The batch of each variant, a power of two: calls that last 30 us together, where reading the clock is no matter, or
/// 20 times the skew of a start, but not 2 ms.
///
/// It is one size for both, from the faster, so that what skew is left weighs on both alike.  Fewer where that would
/// make the slower one's batch longer than a time slice, but still one size: calls back to back overlap, so that two
/// of the one against four of the other favours the four.  Only far apart each has its own; else the faster one's batch
/// would be short, and ranks that have spun through a slice or two in the other get their cores back one by one.
std::array<int, 2> batches_for(const Pace& pace);

}  // namespace tutti::bench
