#pragma once
/// From one rank's schedule to its actions.
#include <utility>
#include <vector>

#include "simulation/action.hpp"
#include "simulation/conflicts.hpp"
#include "simulation/machine.hpp"

namespace tutti::simulation {

/// A rank and its peers in the simulation.
struct Seat {
  Rank me = 0;
  int ranks = 1, lanes = 1;  ///< a lane's schedule names number i of the lane: rank i * lanes + me % lanes
  std::int64_t block = 0;    ///< bytes of a block
};

class Ordering {
 public:
  Ordering(Schedule schedule, const Seat& seat) : schedule_(std::move(schedule)), seat_(seat) {}
  /// Appends actions until there are about `most`; true at the end of the schedule.  Throws std::invalid_argument on a
  /// step that names no other rank.
  bool next(const Machine& machine, std::vector<Action>& actions, std::size_t most);
  /// Of the sends among the actions since the last call.
  Counts counted() { return std::exchange(counts_, {}); }

 private:
  /// A message that is not finished.
  struct Open {
    BlockList blocks;
    std::int32_t number = 0, round = 0;
    bool written = false;  ///< a receive
  };
  struct Deferred {
    Step step;
    std::int32_t round = 0, number = 0;
  };
  static constexpr int none = -1, deferred_one = -2;

  Memory memory() const { return {seat_.block, floating_}; }
  void take(const Step& step);
  int conflict(const Step& step, std::size_t deferred) const;
  bool may_look_ahead(int conflict) const;
  void run_deferred();
  void complete(std::size_t index);
  void settle();
  void execute(const Step& step, int number, int round);
  void send(const Send& step, Action action, int round);
  void open(const BlockList& blocks, bool written, int round, Action& action);
  Rank peer(Rank number, const char* does) const;

  Schedule schedule_;
  Seat seat_;
  const Machine* machine_ = nullptr;
  std::vector<Action>* actions_ = nullptr;
  std::int32_t round_ = 0, step_ = -1, opened_ = 0;
  std::uint64_t floating_ = 0;
  std::vector<Open> open_;  ///< in the order of the program
  std::vector<Deferred> deferred_;
  Counts counts_;
};

/// All actions of a schedule in their order, without time: `take(action)`.
template <typename Take>
void for_each_action(const Machine& machine, Schedule schedule, const Seat& seat, Take take) {
  constexpr std::size_t batch = 1024;
  Ordering ordering(std::move(schedule), seat);
  std::vector<Action> actions;
  for (bool ended = false; !ended;) {
    actions.clear();
    ended = ordering.next(machine, actions, batch);
    for (const Action& action : actions) take(action);
  }
}

}  // namespace tutti::simulation
