#pragma once
/// The result of a check of the global clock.
#include <string>
#include <vector>

namespace tutti::bench {

/// How one rank's global clock differs from rank 0's; seconds.
struct ClockError {
  int rank = 0;
  double offset = 0, drift = 0;  ///< of its own clock against the global one, as it has learned them
  double drift_within = 0;       ///< how far from the truth that drift may be, by the messages it was learned from
  double error = 0;              ///< by the tightest of many messages there and back
  double uncertainty = 0;        ///< half that round trip: the uncertainty of `error`
  double second = 0;             ///< by the quickest of many messages each way, sent one way at a time
  double known = 0;              ///< exact, where both ranks read one machine's clock
};

struct ClockReport {
  std::string when;         ///< "start", "end"
  std::string source;       ///< name of the clock that is read
  bool shared = true;       ///< all ranks read one clock; else HCA3
  bool one_machine = true;  ///< `known` is known
  double cost = 0;          ///< seconds a reading
  double seconds = 0;       ///< that synchronising took
  std::vector<ClockError> ranks;

  /// Of all ranks, the largest of |member|.
  double largest(double ClockError::*member) const;
};

}  // namespace tutti::bench
