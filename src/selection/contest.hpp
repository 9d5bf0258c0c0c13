#pragma once
/// node(native=clock): whether the node engine or the MPI library's own collective is the faster, found out in a
/// program's own calls, and again now and then.
///
/// No rule can say it for every machine: what caches the cores share decides who moves 64 KiB to and from eight ranks
/// on two cores faster.  For each kind of call (collective and size class) the engine serves eight calls, in which its
/// own learners settle; then both take turns of four calls, two turns each.  A turn's first call is not counted: it
/// waits for ranks that leave the other's late.  Then the ranks exchange their times, take the larger of each, and so
/// decide alike.  Another trial follows after 64 calls, with turns of eight, then after 512 and so on up to 32768, with
/// turns of sixteen: the first is short so that a program gains early, and later ones are not misled by what else runs.
/// Half of a trial's calls are the slower side's.  Estimates carry half of what earlier trials found.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tutti {

class Contest {
 public:
  enum class Side : std::uint8_t { engine, native };
  static constexpr int sides = 2, settling = 8, turns = 4, first_turn = 4, longest_turn = 16;
  static constexpr std::int64_t first_review = 64, reviews_grow = 8, last_review = 32768;

  /// `whole_turns`: count all the time from a turn's first call to its last, whatever the program did in it, instead
  /// of the time in its calls.  Where ranks share CPUs one rank's time in a call says little: what one side takes less
  /// in its own calls, it may cost in what follows.
  explicit Contest(bool whole_turns) : whole_turns_(whole_turns) { start_over(); }

  /// Who makes the next call.
  Side next() const { return timing() ? turn() : winner_; }
  /// Whether that call is timed: then `took` follows it, else `pass`.
  bool timing() const { return left_ == 0; }
  void pass() { --left_; }
  /// The call began and ended then on this rank, by one clock, in nanoseconds.
  void took(std::int64_t began, std::int64_t ended);
  /// Every side has had its turns: the ranks have to exchange `times` before the next call.
  bool due() const { return timing() && calls_ == turns * at_a_turn_; }
  /// This rank's nanoseconds a call, by side; `decide` gets their maxima over the ranks.
  std::array<std::int64_t, sides> times() const;
  void decide(std::span<const std::int64_t, sides> slowest);
  /// The slowest rank's nanoseconds a call, over the trials so far; 0 before the first.
  std::int64_t estimate(Side side) const { return estimates_[static_cast<std::size_t>(side)]; }

 private:
  Side turn() const { return calls_ / at_a_turn_ % sides == 0 ? Side::native : Side::engine; }
  void start_over();

  bool whole_turns_;
  Side winner_ = Side::engine;
  std::int64_t left_ = settling;                          ///< calls until the next trial; 0: in one
  std::int64_t interval_ = first_review;                  ///< calls from this trial to the next
  int at_a_turn_ = first_turn;                            ///< calls of this trial's turns
  int calls_ = 0;                                         ///< of this trial
  std::int64_t turn_began_ = 0;                           ///< when its first call ended
  std::array<std::vector<std::int64_t>, sides> samples_;  ///< nanoseconds a call
  std::array<std::int64_t, sides> estimates_{};
};

}  // namespace tutti
