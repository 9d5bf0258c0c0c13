#pragma once
/// What tutti-bench prints: one JSON object a line.  `event` says what it is: environment, start, result, end.
#include <cstdint>
#include <string>
#include <vector>

#include "bench/options.hpp"
#include "bench/statistics.hpp"

namespace tutti::bench {

/// The facts about one launch that only its ranks know.
struct Environment {
  std::string mpi_version, mpi_path, flavour, host, tutti_version;  ///< tutti_version: empty where not preloaded
  int ranks = 1, ranks_on_node = 1, cpus = 1;                       ///< cpus: in the affinity masks of the node's ranks
  bool common_start = false;                                        ///< ranks start each repetition by a shared clock
  double clock_ns = 0;                                              ///< cost of reading the clock
};

/// One variant of one case.
struct Result {
  Case what;
  std::string variant;
  std::string choice;          ///< tutti's spec for the call; empty for the native variant
  int batch = 1;               ///< calls timed together, back to back
  int sets = 1;                ///< buffer sets in the rotation
  std::int64_t footprint = 0;  ///< bytes of all sets of this variant on one rank
  std::int64_t late = 0;   ///< repetitions for which a rank missed the common start: left out, unless few were in time
  std::int64_t wrong = 0;  ///< repetitions with a wrong result
  double resolution = 0;   ///< seconds to which one sample is known: a reading of the clock, over the batch
  std::vector<double> seconds;  ///< of one call on the slowest rank, for each repetition
};

/// What a case cannot be faster than, and the figures behind it (seconds).
struct Bound {
  Case what;
  int flags = 0, switches = 0;               ///< how many of each
  std::int64_t copied = 0;                   ///< bytes
  double flag = 0, switching = 0, copy = 0;  ///< of one flag, of one switch, of copying all those bytes

  double seconds() const { return flags * flag + switches * switching + copy; }
};

/// The geometric means of figures from before and after a case: where processors are virtual, two of them may be one
/// core's for a while and far apart then, which changes a flag's time fourfold.
Bound between(const Bound& before, const Bound& after);

std::string to_json(const Environment& environment);
/// Case number `index` (from 0) of `total` begins.
std::string start_to_json(const Case& what, std::size_t index, std::size_t total);
/// Figures in microseconds, and every sample in the order in which it was taken.
std::string to_json(const Result& result, int ranks);
/// Figures in microseconds.
std::string to_json(const Bound& bound);
std::string end_to_json(std::int64_t wrong);

}  // namespace tutti::bench
