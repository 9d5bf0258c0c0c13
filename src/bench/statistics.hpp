#pragma once
/// Robust statistics of one variant's samples.  Hoefler & Belli, "Scientific Benchmarking of Parallel Computing
/// Systems", SC 2015, section 4.
#include <cstddef>
#include <vector>

namespace tutti::bench {

/// In the samples' own unit.
struct Summary {
  std::size_t count = 0;
  double median = 0;
  double low = 0, high = 0;  ///< 95 % interval of the median, from order statistics: no normality assumed
  double p90 = 0, p99 = 0, least = 0, most = 0;
};

/// `resolution` (same unit): how exactly one sample is known.  Each sample stands for all times within half of it, so
/// that a median of calls as short as some ticks of the clock is not rounded to a whole tick (at 140 ns and ticks of
/// 10 ns that alone would make two equal variants differ by 7 %).
/// All zero where there are no samples.  Below six samples no pair of order statistics covers 95 %: the interval is
/// then the whole range.
Summary summarise(std::vector<double> samples, double resolution = 0);

/// Whether the interval lies within +-precision of the median, from at least `enough` samples.
bool narrow(const Summary& summary, double precision, std::size_t enough);

}  // namespace tutti::bench
