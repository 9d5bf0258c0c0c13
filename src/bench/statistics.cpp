#include "bench/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::bench {

namespace {

/// How many of the sorted samples lie below `time`, each spread evenly over `width` around itself.
double below(const std::vector<double>& sorted, double time, double width) {
  const auto begin = std::lower_bound(sorted.begin(), sorted.end(), time - width / 2);
  const auto end = std::upper_bound(begin, sorted.end(), time + width / 2);
  double count = static_cast<double>(begin - sorted.begin());
  for (auto sample = begin; sample != end; ++sample) count += (time - *sample) / width + 0.5;
  return count;
}

/// The time that `place` samples (0 to count - 1) lie below, interpolated between neighbours or within `width`.
double at_place(const std::vector<double>& sorted, double place, double width) {
  const auto lower = static_cast<std::size_t>(place);
  const std::size_t upper = std::min(lower + 1, sorted.size() - 1);
  const double plain = std::lerp(sorted[lower], sorted[upper], place - static_cast<double>(lower));
  if (width <= 0) return plain;
  double low = plain - width, high = plain + width;  // the spread samples' quantile is within half a width of it
  for (int halving = 0; halving < 30; ++halving) {
    const double middle = (low + high) / 2;
    (below(sorted, middle, width) < place + 0.5 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

Summary summarise(std::vector<double> samples, double resolution) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  // Ranks floor((n - z sqrt n) / 2) and ceil(1 + (n + z sqrt n) / 2), counted from 1: Hoefler & Belli, 4.2.2.
  constexpr double z = 1.959964;
  const double first = std::max(std::floor((n - z * std::sqrt(n)) / 2) - 1, 0.0);
  const double last = std::min(std::ceil(1 + (n + z * std::sqrt(n)) / 2) - 1, n - 1);
  const auto quantile = [&](double part) { return at_place(samples, part * (n - 1), resolution); };
  return {samples.size(),
          quantile(0.5),
          at_place(samples, first, resolution),
          at_place(samples, last, resolution),
          quantile(0.90),
          quantile(0.99),
          samples.front(),
          samples.back()};
}

bool narrow(const Summary& summary, double precision, std::size_t enough) {
  return summary.count >= enough && summary.high - summary.median <= precision * summary.median &&
         summary.median - summary.low <= precision * summary.median;
}

}  // namespace tutti::bench
