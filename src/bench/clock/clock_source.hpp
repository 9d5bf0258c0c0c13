#pragma once
/// The clocks of one process: what each costs and can resolve, and which of them a measurement reads.
#include <time.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "clock/cycles.hpp"

namespace tutti::bench {

/// In the order in which they are preferred where they are equally good: the raw clock is not slewed by time servers,
/// so that its drift against another machine's is a line.
enum class ClockKind { monotonic_raw, monotonic, cycles, mpi_wtime };
inline constexpr std::array clock_kinds = {ClockKind::monotonic_raw, ClockKind::monotonic, ClockKind::cycles,
                                           ClockKind::mpi_wtime};

/// "raw", "monotonic", "cycles", "wtime".
std::string_view name(ClockKind kind);
std::optional<ClockKind> clock_named(std::string_view word);

/// A clock made wrong on purpose, for tests: so many seconds ahead, and gaining so many seconds in a second.
struct ClockSkew {
  double offset = 0, drift = 0;
};

/// What TUTTI_BENCH_CLOCK_SKEW says of a rank's clock; nothing where it says nothing.  It holds RANK:SECONDS:PPM, and
/// more of them after commas.  Throws std::invalid_argument where it cannot be read.
std::optional<ClockSkew> skew_of(int rank);

/// Measured against CLOCK_MONOTONIC_RAW for some hundredths of a second.
double seconds_per_cycle();

class ClockSource {
 public:
  ClockSource() = default;
  ClockSource(ClockKind kind, double (*wtime)(), double seconds_per_cycle)
      : kind_(kind), wtime_(wtime), seconds_per_cycle_(seconds_per_cycle) {}

  /// From here on it is wrong.
  void skew(const ClockSkew& skew) {
    since_ = unskewed();
    skew_ = skew;
  }

  ClockKind kind() const { return kind_; }
  double seconds_per_cycle() const { return seconds_per_cycle_; }
  double operator()() const { return skewed(unskewed()); }
  /// What this clock shows when it ought to show `time`.
  double skewed(double time) const { return time + skew_.offset + skew_.drift * (time - since_); }
  /// What the clock would show had it not been made wrong.
  double unskewed() const {
    if (kind_ == ClockKind::cycles) return static_cast<double>(cycle_count()) * seconds_per_cycle_;
    if (kind_ == ClockKind::mpi_wtime) return wtime_();
    timespec time;
    clock_gettime(kind_ == ClockKind::monotonic_raw ? CLOCK_MONOTONIC_RAW : CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

 private:
  ClockKind kind_ = ClockKind::monotonic;
  double (*wtime_)() = nullptr;
  double seconds_per_cycle_ = 0, since_ = 0;
  ClockSkew skew_;
};

/// Properties of a clock.  Seconds.
struct ClockFacts {
  double cost = 1;   ///< of one reading
  double step = 1;   ///< the least by which it was seen to advance
  double unfit = 0;  ///< above 0 where it is missing, went backwards or stood still
  double finest() const { return cost > step ? cost : step; }
};

ClockFacts examine(const ClockSource& clock);

/// The facts of all kinds, in the order of clock_kinds: the finest that is fit; one in front of it in that order where
/// that is less than half again as coarse.
ClockKind best_of(const std::array<ClockFacts, clock_kinds.size()>& facts);

}  // namespace tutti::bench
