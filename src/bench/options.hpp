#pragma once
/// The command line of tutti-bench.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrival/pattern.hpp"
#include "bench/cache_mode.hpp"
#include "bench/clock/clock_source.hpp"
#include "bench/contents.hpp"
#include "bench/terms.hpp"
#include "core/contract.hpp"

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

/// In which of its forms a collective is called: MPI_X; MPI_IX and MPI_Wait; MPI_X_init once, then MPI_Start and
/// MPI_Wait.
enum class Manner { blocking, nonblocking, persistent };

/// One cell of a table: a collective, or something else that is measured as one is, at one size.
struct Case {
  Collective collective = Collective::barrier;
  /// The call's count in bytes, per peer where the call's blocks are per peer; of a message in a pattern; 0 for
  /// barrier.
  std::int64_t bytes = 0;
  Arrival arrival{};
  Manner manner = Manner::blocking;
  std::string other{};  ///< name of a pattern of messages, or `memcpy`; empty: the collective is meant
  Terms terms{};
  CacheMode cache = CacheMode::cold;
  bool operator==(const Case&) const = default;
};

/// A copy from a rank's send to its receive buffer, which no message is part of: what caches alone are worth.
inline constexpr std::string_view memcpy_name = "memcpy";

/// Whether there are any whose state in the caches could matter.
bool has_buffers(const Case& what);

/// "allreduce", "iallreduce", "allreduce_init", "allreduce(double,max)", "pingpong".
std::string subject_of(const Case& what);

/// A user's pattern of messages.
struct PatternFile {
  std::string name, file;
};

/// Where a variant's functions come from.
enum class Source {
  preloaded,  ///< MPI_X as a program finds it: tutti's where it is preloaded
  library     ///< PMPI_X of the MPI library itself
};

struct VariantName {
  std::string name;  ///< "tutti", "native", "again"
  Source source = Source::library;
  bool operator==(const VariantName&) const = default;
};

/// How ranks begin a repetition together (backend/start.hpp).
enum class Sync { automatic, round, flags, messages, barrier };
/// "auto", "round", "flags", "messages", "barrier".
std::string_view name(Sync sync);

struct ClockOptions {
  bool forced = false;              ///< every rank learns, also where it shares rank 0's clock
  std::optional<ClockKind> source;  ///< else the best by test
  double seconds = 0.5;             ///< of a synchronisation; there are about log2 of the nodes
};

struct Options {
  std::vector<Case> cases;
  std::vector<VariantName> variants = {{"tutti", Source::preloaded}, {"native", Source::library}};
  double seconds = 0.5;     ///< time limit of a case
  double precision = 0.01;  ///< stop when the interval of the median is within +- this part of it
  bool check = true;
  bool bound = false;                 ///< measure what each case cannot be faster than
  CacheMode cache = CacheMode::cold;  ///< of cases that do not say it
  int batch = 0;                      ///< above 0: calls that are timed together, at most
  int repetitions = 0;                ///< above 0: exactly so many of each case, however long they take
  int warm_ups = 10;                  ///< calls of each variant before the first sample
  int root = 0;                       ///< of the rooted ones;
  bool rotating_root = false;         ///< or rank after rank, repetition by repetition
  bool in_place = false;              ///< MPI_IN_PLACE where the collective has it
  std::optional<Element> element;     ///< else bytes where data move, floats where they are combined
  Operator op = Operator::sum;
  std::vector<PatternFile> patterns;
  std::vector<int> on;  ///< ranks of MPI_COMM_WORLD that measure, in this order; empty: all
  Sync sync = Sync::automatic;
  ClockOptions clock;
  std::string samples;     ///< folder for every rank's samples; empty: they are not kept
  double work = 0;         ///< above 0: seconds of balanced work, of which the imbalance is measured, and no case
  double clock_check = 0;  ///< above 0: check the clock now and so many seconds later, and measure no case
};

/// How the case's elements are combined, and what they are: bytes where data only move and nothing else is asked for.
Operator operator_of(const Case& what, const Options& options);
Element element_of(const Case& what, const Options& options);
/// Throws std::invalid_argument where a case combines what its operator does not take; it names what that takes.
void check_operator(const Case& what, const Options& options);

/// "allreduce:64K" -> {allreduce, 65536}; "iallreduce:64K", "allreduce_init:64K", "pingpong:64K"; names of `patterns`;
/// "allreduce(double,max):64K" with its terms; "allreduce:64K%warm@last_late:2x" with its cache mode (else `usual`) and
/// its arrival.  Throws std::invalid_argument with a sentence that names the word.
Case parse_case(const std::string& text, const std::vector<PatternFile>& patterns = {},
                CacheMode usual = CacheMode::cold);
/// Throws std::invalid_argument with a sentence that says what to write instead.
Options parse_options(int argc, const char* const* argv);

}  // namespace tutti::bench
