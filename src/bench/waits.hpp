#pragma once
/// Waits under an arrival pattern: of each repetition all ranks' arrivals and exits, and what of the waits between them
/// was avoidable.
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "models/earliest_exit.hpp"

namespace tutti::bench {

/// What a case's earliest exits follow from, besides the arrivals; seconds.
struct ExitCosts {
  std::map<std::int64_t, double> copies;  ///< what moving so many bytes costs a rank, in the case's state of caches
  std::vector<int> hosts;                 ///< where ranks share CPUs: the node of each; else empty
  int cpus = 1;                           ///< of each node
  double switching = 0;                   ///< a context switch
  double apart = 0;                       ///< how far two ranks' clocks may be from each other
  double reading = 0;                     ///< of the clock
};

/// One repetition, seconds; a value for each rank.
struct Stay {
  std::int64_t repetition = 0;
  std::vector<double> arrivals, exits, earliest;
};

/// Of one variant's repetitions.
class Waits {
 public:
  Waits() = default;
  explicit Waits(ExitCosts costs) : costs_(std::move(costs)) {}

  /// Another repetition: `call` may have another root each time.
  void add(const ExitCall& call, Stay stay);

  bool empty() const { return avoidable_.empty(); }
  const ExitCosts& costs() const { return costs_; }
  /// Of each repetition, the sum over the ranks.
  const std::vector<double>& avoidable() const { return avoidable_; }
  /// How large a sum the clocks alone may make of none: the largest of all repetitions.
  double error() const { return error_; }
  /// The repetition whose sum is nearest to the median, of the first ones, as many as a bounded memory holds.
  const Stay& usual() const;

 private:
  static constexpr std::size_t room = std::size_t{1} << 20;  ///< values of stays that are kept

  ExitCosts costs_;
  std::vector<double> avoidable_;
  std::vector<Stay> stays_;
  double error_ = 0;
};

}  // namespace tutti::bench
