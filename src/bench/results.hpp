#pragma once
/// What tutti-bench prints: one JSON object a line.  `event` says what it is: environment, start, result, end.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/clock/clock_report.hpp"
#include "bench/imbalance.hpp"
#include "bench/network_counters.hpp"
#include "bench/options.hpp"
#include "bench/statistics.hpp"
#include "bench/waits.hpp"

namespace tutti::bench {

/// The facts about one launch that only its ranks know.
struct Environment {
  std::string mpi_version, mpi_path, backend, host, tutti_version;  ///< tutti_version: empty where not preloaded
  int ranks = 1, ranks_on_node = 1, cpus = 1;                       ///< cpus: in the affinity masks of the node's ranks
  std::string sync;                                                 ///< how ranks begin a repetition together
  double clock_ns = 0;                                              ///< cost of reading the clock
  std::vector<int> nodes;                                           ///< of each rank, numbered as they first appear
};

/// Results under an arrival pattern; seconds, of each repetition.
struct Arrivals {
  double skew = 0;            ///< asked for
  double message = 0;         ///< of one message of the case's size from rank 0 to the last rank
  std::vector<double> wait;   ///< from a rank's arrival to its exit: the mean over ranks (on rank 0)
  std::vector<double> total;  ///< from the first arrival to the last exit
  std::vector<double> apart;  ///< the last arrival after the first
  Waits waits{};              ///< of collectives (on rank 0)
};

/// Of a pattern of messages: how often a rank waits for messages before it sends others, and bytes of all together.
struct Messages {
  std::size_t rounds = 0;
  std::int64_t volume = 0;
};

/// Of a nonblocking call with computation between its beginning and its end; seconds, of each repetition.
struct Overlap {
  std::vector<double> together;  ///< the call and the computation, on the slowest rank
  std::vector<double> compute;   ///< the computation in it
};

/// The part of the shorter one that was hidden behind the other: 1 where both together take no longer than the longer
/// alone, 0 where they take the sum.  As IMB-NBC defines it.
double overlapped(double pure, double compute, double together);

/// Begin and end of a repetition's time.
enum class Timed : std::uint8_t {
  slowest_rank,        ///< the longest of the ranks' own times
  first_to_last,       ///< from the first rank's beginning to the last one's end
  after_last_arrival,  ///< from the last arrival to the last exit
};

/// One variant of one case.
struct Result {
  Case what;
  std::string variant;
  std::string choice;          ///< tutti's spec for the call; empty for the native variant
  std::uint32_t cell = 0;      ///< of its samples in the files of the launch
  int batch = 1;               ///< calls timed together, back to back
  int sets = 1;                ///< buffer sets in the rotation
  std::int64_t footprint = 0;  ///< bytes of all sets of this variant on one rank
  std::int64_t late = 0;   ///< repetitions for which a rank missed the common start: left out, unless few were in time
  std::int64_t wrong = 0;  ///< repetitions with a wrong result
  std::int64_t timed_out = 0;  ///< repetitions in which a node's kernel counted a time-out of TCP
  Timed timed = Timed::slowest_rank;
  double resolution = 0;        ///< seconds to which one sample is known: a reading of the clock, over the batch
  std::vector<double> seconds;  ///< of one call, for each repetition, as `timed` says
  Arrivals arrivals;
  std::optional<Messages> messages;
  Overlap overlap;
};

/// The lower bound of a case, and the figures behind it (seconds).
struct Bound {
  Case what;
  int flags = 0, switches = 0;               ///< how many of each
  std::int64_t copied = 0;                   ///< bytes
  double flag = 0, switching = 0, copy = 0;  ///< one-way latency, context switch, copying all those bytes

  double seconds() const { return flags * flag + switches * switching + copy; }
};

/// The geometric means of figures from before and after a case: where processors are virtual, two of them may be one
/// core's for a while and far apart then, which changes the latency fourfold.
Bound between(const Bound& before, const Bound& after);

std::string to_json(const Environment& environment);
/// Case number `index` (from 0) of `total` begins.
std::string start_to_json(const Case& what, std::size_t index, std::size_t total);
/// Figures in microseconds.
std::string to_json(const Result& result, int ranks);
/// Figures in microseconds.
std::string to_json(const Bound& bound);
/// What TCP counted on all nodes while a case was measured, both variants together.
std::string to_json(const NetworkCounters& counters);
/// Largest figures in microseconds, and those of every checked rank (drift in parts per million).
std::string to_json(const ClockReport& report);
/// Summaries in microseconds, and the median of each rank.
std::string to_json(const Imbalance& imbalance);
std::string end_to_json(std::int64_t wrong);

}  // namespace tutti::bench
