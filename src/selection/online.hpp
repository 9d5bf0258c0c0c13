#pragma once
/// TUTTI_TUNE=online: which spec is the fastest, found in the program's own first calls.
///
/// For each kind of call (collective, size class, commutativity) candidates take turns in rounds: every candidate three
/// times, then the best four 8 times, then the best two 32 times, up to four calls at a turn.  The first call of a turn
/// is not counted: it waits for ranks that leave the previous candidate late.  A round ends at a call count that
/// follows from the number of candidates alone; then the ranks exchange their times, take the largest of each
/// candidate's, and so decide alike. A round is lost to candidates slower than twice the best by no more than its
/// calls: `most_calls` bounds the regret.
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "selection/choice.hpp"

namespace tutti {

struct Candidate;  // candidates.hpp

/// One kind of call on one communicator.
class Race {
 public:
  static constexpr int rounds = 3;
  static constexpr std::array<int, rounds> turns{3, 8, 32}, at_a_turn{3, 4, 4}, kept{4, 2, 1};

  /// The first entrant is what would serve without tuning; there is one at least.
  explicit Race(std::vector<Choice> entrants);

  bool settled() const { return order_.size() == 1; }
  /// Every candidate of the round has had its turns: the ranks have to exchange `times()` before the next call.
  bool due() const { return !settled() && calls_ == turns[round_] * static_cast<int>(order_.size()); }
  /// This rank's nanoseconds a call in this round, by candidate; `decide` gets their maxima over the ranks. Medians: a
  /// call during which the process was preempted says nothing about its candidate.
  std::vector<std::int64_t> times() const;
  void decide(std::span<const std::int64_t> slowest);
  /// The candidate that serves the next call.
  const Choice& next() const;
  /// That call took so long on this rank.
  void took(std::int64_t nanoseconds);
  /// Of the last round, the slowest rank's, a call: of the winner, and of who came second (0 where nobody did).
  std::int64_t best() const { return best_; }
  std::int64_t second() const { return second_; }
  /// Calls until `count` candidates are settled.
  static int most_calls(int count);

 private:
  std::size_t turn() const;

  std::vector<Choice> entrants_;
  std::vector<std::size_t> order_;                   ///< who is left, the best so far first
  std::vector<std::vector<std::int64_t>> calls_of_;  ///< nanoseconds of those that count, by place in order_
  int round_ = 0, calls_ = 0;
  std::int64_t best_ = 0, second_ = 0;
};

/// Sizes of one class differ by less than a factor of two; class 0: no bytes, or unknown.
inline int size_class(std::int64_t bytes) {
  return bytes <= 0 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)));
}

/// What takes part for such calls: `usual`, native, and what the placement and the size allow.
std::vector<Choice> entrants_for(const CallSignature& signature, const Choice& usual, const Placement& placement,
                                 const Settings& settings);

/// Whether a candidate's needs leave any call of that class out (its operator, its count).
bool serves_class(const Candidate& candidate, const CallSignature& signature);

/// What was learned, as rules of a profile.
struct Learned {
  Placement placement;
  Collective collective = Collective::barrier;
  int size_class = 0;
  bool sized = false;  ///< a rule may ask for the size of its calls
  std::string spec, usual;
  std::int64_t nanoseconds = 0, next = 0;
};
std::string profile_of(std::span<const Learned> learned, const std::string& about);

}  // namespace tutti
