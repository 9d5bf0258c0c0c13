#pragma once
/// The balanced program of --imbalance: all ranks begin together, do the same work, and record when they finish.
#include "bench/backend/global_clock.hpp"
#include "bench/backend/start.hpp"
#include "bench/imbalance.hpp"
#include "bench/sample_file.hpp"

namespace tutti::bench {

/// Collective.  Repetitions of `work` seconds each, for `seconds`; at least 10 of them, at most 10000.  Samples' cell
/// is 0.
Imbalance run_balanced(Team& team, const GlobalClock& clock, Start& start, SampleFile& samples, double work,
                       double seconds);

}  // namespace tutti::bench
