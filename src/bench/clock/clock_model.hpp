#pragma once
/// Offset and drift of a clock against the reference's, as a line.
#include <span>

namespace tutti::bench {

/// One comparison of two clocks by a message there and back: Cristian's, whose error is at most half the round trip.
struct OffsetSample {
  double local = 0;       ///< when, on the clock that learns
  double offset = 0;      ///< how far it is ahead
  double round_trip = 0;  ///< seconds
};

/// global = local - (intercept + slope (local - origin)).
struct ClockModel {
  double origin = 0, intercept = 0, slope = 0;
  double slope_within = 0;  ///< the slope is wrong by no more, whichever way of each round trip took longer
  double global(double local) const { return local - (intercept + slope * (local - origin)); }
  /// The local time that a global one is.
  double local(double global) const { return (global + intercept - slope * origin) / (1 - slope); }
};

/// Least squares over the half of the samples with the shortest round trips, each by how sure it is: what delays a
/// message delays it one way.
/// Never a slope that two samples rule out together.
/// Hunold & Carpen-Amarie, "Hierarchical clock synchronization in MPI", CLUSTER 2018.  At least one sample.
ClockModel fit(std::span<const OffsetSample> samples);

}  // namespace tutti::bench
