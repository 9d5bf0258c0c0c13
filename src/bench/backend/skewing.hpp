#pragma once
/// Delays ranks by the arrival pattern of a case.
#include <cstdint>
#include <optional>

#include "arrival/pattern.hpp"
#include "bench/backend/team.hpp"
#include "bench/options.hpp"

namespace tutti::bench {

class Skewing {
 public:
  /// Collective.  Throws std::invalid_argument on all ranks where the pattern cannot be: no file, one node alone.
  Skewing(const Case& what, Team& team);

  explicit operator bool() const { return static_cast<bool>(arrival_); }
  /// Sets the skew from the time of the case without delays.
  void size_by(double balanced);
  /// Of the last rank, in seconds; of replay the longest recorded.
  double seconds() const { return seconds_; }
  /// Tolerance of a delay for a valid repetition.
  double tolerance() const { return 0.05 * seconds_; }
  /// Seconds by which this rank comes later.
  double delay(std::int64_t repetition) const;
  /// Of a message of the case's size from rank 0 to the last rank.
  double message() const { return message_; }

 private:
  void replay(Team& team);

  const Arrival arrival_;
  Arriving who_;
  std::optional<RecordedArrivals> recorded_;
  double seconds_ = 0, message_ = 0;
};

/// Seconds that a message of so many bytes takes from rank 0 to the last rank: half of the shortest of some there and
/// back.  Collective; equal on all ranks.
double message_time(Team& team, std::int64_t bytes);

}  // namespace tutti::bench
