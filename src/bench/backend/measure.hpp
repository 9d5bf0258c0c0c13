#pragma once
/// Measures one case: two variants in turns in one process.
///
/// A repetition is, for the one variant and then the other (the order alternates): start on all ranks together, read
/// the clock, call, read the clock.  Its time is that of the slowest rank; where ranks start by the global clock, from
/// the first one's beginning to the last one's end.  After both have run, and outside the timed part, results are
/// checked and buffers refilled, for both alike: work between the two that only one needed gave 0.64 for a comparison
/// of a library with itself.
///
/// A call that no rank can leave before all have entered is timed in batches when it is short (some tens of
/// microseconds back to back; cold ones each with buffers of its own), which keeps the skew of the start out of the
/// figure. The others (bcast, reduce, gather, scatter, scan and their like) are started together call by call: back to
/// back, a root of bcast runs ahead and the figure would be the pipeline's, not the call's.
///
/// Of a nonblocking call each repetition is also run with computation between its beginning and its end, after both
/// variants' turns.
#include <algorithm>
#include <array>

#include "bench/backend/costs/costing.hpp"
#include "bench/backend/global_clock.hpp"
#include "bench/backend/network.hpp"
#include "bench/backend/skewing.hpp"
#include "bench/backend/start.hpp"
#include "bench/backend/subject.hpp"
#include "bench/backend/team.hpp"
#include "bench/results.hpp"
#include "bench/sample_file.hpp"

namespace tutti::bench {

struct Variant {
  std::string name;
  Functions functions;
  bool preloaded = false;
};
using Variants = std::array<Variant, 2>;

/// What all cases of a launch use.
struct Session {
  const Options& options;
  const Variants& variants;
  Team& team;
  const GlobalClock& clock;
  Start& start;
  SampleFile& samples;
  Memory& memory;
  NetworkWatch& network;  ///< restarts with each case's first sample
  Costing& costing;
};

class Measurement {
 public:
  /// Case number `index` of the launch.
  Measurement(const Case& what, std::size_t index, const Session& session);
  /// Collective over the team.  The samples are the same on all ranks.
  std::array<Result, 2> run();

 private:
  static constexpr std::size_t enough = 100;             ///< samples before a narrow interval ends a case
  static constexpr std::size_t fewest = 6;               ///< samples, however long they take
  static constexpr int per_sample = 5;                   ///< values of which the largest over the ranks make a sample
  static constexpr int per_repetition = 2 * per_sample;  ///< of both variants
  static constexpr int per_passage = 6;                  ///< of both variants: arrival, exit, contents

  /// On this rank's clock.
  struct Timing {
    double begin = 0, end = 0, late = 0;
    bool timed_out = false;  ///< a connection of this node's, meanwhile
    double seconds() const { return end - begin; }
  };

  /// One repetition of which all ranks' times are known, in seconds.
  struct Known {
    double seconds = 0;           ///< its time
    double total = 0, apart = 0;  ///< under an arrival pattern
    std::optional<ExitCall> call;
    Stay stay;  ///< likewise, on rank 0
  };

  struct Turn {
    Buffers buffers;
    std::int64_t contents;
  };

  Timing timed(int variant, int first_set);
  void line_up(int variant, int first_set);
  /// Of one call, as the slowest rank saw it; the same on all ranks.
  double slowest(int variant, int first_set);
  void warm_up();
  double back_to_back(int variant, int most);
  void choose_batches();
  /// Sets of a repetition, and how often all sets have had their turn.  The same on all ranks, which have different
  /// numbers of sets: else some would wait in the one variant's call for others that wait in the other's.
  int step() const { return std::max(results_[0].batch, results_[1].batch); }
  std::int64_t passes() const {
    const std::int64_t pass = fewest_sets_ / step();
    return pass > 1 ? repetition_ / pass : 0;
  }
  /// The order alternates, and is another one in the next pass through the sets: each variant is as often the first one
  /// on every set.
  int whose(int turn) const { return static_cast<int>((repetition_ + passes() + turn) % 2); }
  /// The two variants exchange their buffers every other pass: where these lie is worth up to 1 %.
  Buffers buffers(int variant, int set) const {
    const bool exchanged = results_[0].what.manner != Manner::persistent && passes() / 2 % 2 == 1;
    return sets_(exchanged ? 1 - variant : variant, set);
  }
  void repeat(int repetitions);
  bool between_ranks() const;
  void keep(int variant, int place, const Timing& timing);
  void make_ready(int variant);
  int most_together() const;
  /// Buffer sets of so many calls.
  int sets_of(int calls) const { return std::min(calls, sets_.count()); }
  void refill();
  void overlap(int place);
  void prove();
  void check(int variant, int first_set);
  void check_shared(int variant, int set);
  void check_and_refill(int first_set, int step);
  void prepare_arrivals();
  void share(int repetitions);
  void take(int variant, int place, int chunk);
  Stay stay(int variant, int place, int chunk) const;
  void count(int variant, Known repetition);
  void keep_late_ones_if_needed();
  bool finished();
  int next_chunk() const;

  const Variants& variants_;
  const Options& options_;
  Team& team_;
  const GlobalClock& clock_;
  Start& start_;
  SampleFile& samples_;
  std::unique_ptr<Subject> subject_;
  NetworkWatch& network_;
  Costing& costing_;
  Skewing skewing_;
  const CacheMode cache_;
  BufferSets sets_;
  int fewest_sets_ = 1;  ///< of any rank
  std::array<Result, 2> results_;
  std::array<double, 2> quick_{}, usual_{};  ///< seconds of one call in the warm-up: least, median
  std::vector<std::int64_t> contents_;       ///< repetition whose contents a set holds
  std::int64_t repetition_ = 0;
  double slower_;                           ///< part by which the first variant is made slower, in tests
  std::size_t next_look_ = enough;          ///< samples at which the interval is looked at next
  double begin_ = 0, elapsed_ = 0;          ///< elapsed_: the same on all ranks
  std::array<std::vector<Known>, 2> late_;  ///< repetitions for which a rank missed the start
  std::vector<Turn> turns_;                 ///< the calls that are timed next
  std::vector<double> local_;               ///< beginnings, ends and lateness since the last share()
  std::vector<double> local_passages_;      ///< under an arrival pattern, since then; on rank 0 then all ranks'
  std::array<std::int64_t, 2> local_wrong_{};
  std::array<std::int64_t, 2> operations_{};  ///< of computation that takes about as long as the call
  std::vector<double> local_overlap_;         ///< call and computation together, and the computation in it
};

}  // namespace tutti::bench
