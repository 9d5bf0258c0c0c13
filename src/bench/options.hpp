#pragma once
/// The command line of tutti-bench.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrival/pattern.hpp"
#include "bench/clock_source.hpp"
#include "core/collective.hpp"

namespace tutti::bench {

/// How ranks come to a case.
struct Arrival {
  ArrivalPattern pattern = ArrivalPattern::none;
  std::string skew;       ///< as it was written: 2x, 100us; of replay the file
  double amount = 0;      ///< seconds by which the last comes later than the first, or
  bool multiple = false;  ///< so many times what the case takes when ranks come together
  bool operator==(const Arrival&) const = default;
  explicit operator bool() const { return pattern != ArrivalPattern::none; }
};

/// "last_late:2x", "random:100us", "replay:FILE".  Throws std::invalid_argument.
Arrival parse_arrival(const std::string& text);

/// One cell of a table: a collective at one size.
struct Case {
  Collective collective = Collective::barrier;
  /// The call's count in bytes, per peer where the call's blocks are per peer; 0 for barrier.
  std::int64_t bytes = 0;
  Arrival arrival{};
  bool operator==(const Case&) const = default;
};

/// Which buffers the calls of a measurement get.
enum class CacheMode {
  rotating,  ///< others each time, more of them than the caches hold, with other contents each time
  warm       ///< the same ones, with the same contents, one call at a time
};

/// Which functions a variant calls.
enum class Source {
  preloaded,  ///< MPI_X as any program finds it: tutti's, when it is preloaded
  library     ///< PMPI_X of the MPI library itself
};

struct VariantName {
  std::string name;  ///< "tutti", "native", "again"
  Source source = Source::library;
  bool operator==(const VariantName&) const = default;
};

/// How ranks begin a repetition together (flavour/start.hpp).
enum class Sync { automatic, round, flags, barrier };
/// "auto", "round", "flags", "barrier".
std::string_view name(Sync sync);

struct ClockOptions {
  bool forced = false;              ///< every rank learns, also where it shares rank 0's clock
  std::optional<ClockKind> source;  ///< else the best by test
  double seconds = 0.5;             ///< of a lesson; there are about log2 of the nodes
};

struct Options {
  std::vector<Case> cases;
  std::vector<VariantName> variants = {{"tutti", Source::preloaded}, {"native", Source::library}};
  double seconds = 0.5;     ///< time limit of a case
  double precision = 0.01;  ///< stop when the interval of the median is within +- this part of it
  bool check = true;
  bool bound = false;  ///< measure what each case cannot be faster than
  CacheMode cache = CacheMode::rotating;
  Sync sync = Sync::automatic;
  ClockOptions clock;
  std::string samples;     ///< folder for every rank's samples; empty: they are not kept
  double work = 0;         ///< above 0: seconds of balanced work, of which the imbalance is measured, and no case
  double clock_check = 0;  ///< above 0: look at the clock now and so many seconds later, and measure no case
};

/// "allreduce:64K" -> {allreduce, 65536}; "allreduce:64K@last_late:2x" with its arrival.  Throws std::invalid_argument
/// with a sentence that names the word.
Case parse_case(const std::string& text);
/// Throws std::invalid_argument with a sentence that says what to write instead.
Options parse_options(int argc, const char* const* argv);

}  // namespace tutti::bench
