#pragma once
/// The engine: advances ranks through their actions (action.hpp).
///
/// A message's time follows from its sender's clock, and the receiver's from it, so that a rank can be advanced until
/// it waits, whatever the others do.  Only for what ranks share, cards and links, the order matters: so a rank that
/// comes to a send takes its turn among all ranks, by time.  Of equal times ranks go by their place in the node first,
/// which makes the order the same for all nodes.  What lies further ahead than the send (the receiving card, links
/// behind a busy one, the data of a rendezvous) is asked for early, and gets the first gap: see
/// network/reservations.hpp.
#include <functional>
#include <stdexcept>
#include <vector>

#include "simulation/fold.hpp"
#include "simulation/large_memory.hpp"
#include "simulation/network/wires.hpp"
#include "simulation/rank_state.hpp"
#include "simulation/time_queue.hpp"
#include "simulation/trace.hpp"

namespace tutti::simulation {

/// Schedules that do not fit together, or a limit: one sentence that names rank and step.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is run: rank r of the simulation is number r / lanes in the schedules of its lane, r mod lanes.
struct Job {
  int ranks = 1, lanes = 1;
  std::function<Schedule(Rank)> schedule;  ///< may be called by several threads at once
  std::vector<std::int64_t> blocks;        ///< bytes of a block, by lane
  std::vector<Stamp> start;                ///< of each rank that is simulated
  Fold fold;
  int threads = 1;  ///< that make actions of schedules
};

/// Called now and then with the messages so far; what it throws ends the simulation.
using Tick = std::function<void(std::int64_t)>;

class Engine {
 public:
  Engine(const Machine& machine, const Costs& costs, Wires& wires, const Tick& tick, Trace* trace = nullptr);
  /// When each rank that is simulated has ended.  Throws SimulationError.
  std::vector<Stamp> run(Job job);
  const Counts& counts() const { return counts_; }
  std::size_t most_under_way() const { return pool_.most(); }

 private:
  RankState& state(Rank rank) { return states_[static_cast<std::size_t>(rank)]; }
  std::int32_t turn(Rank rank) const {
    return static_cast<std::int32_t>(machine_.place_of(rank) * machine_.nodes + machine_.node_of(rank));
  }
  void begin();
  Counts make_actions(Rank first, Rank end, Store<Action>& store);
  bool more_actions(Rank me);
  void work_off();
  void break_ties();
  [[noreturn]] void stuck();
  [[noreturn]] void fail(Rank rank, int step, const std::string& why) const;

  void advance(Rank me);
  bool act(Rank me, const Action& action);
  void work(Rank me, const Action& action);
  void end(Rank me, const Action& action);
  void note(Event::Kind kind, Rank rank, Rank peer, int step, std::int64_t bytes, Time begin, Time end);

  // messages.cpp
  void send(Rank me, const Action& action);
  void post(Rank me, const Action& action);
  void deliver(Rank me, Rank to, Message message);
  bool complete(Rank me, std::size_t index);
  bool complete_any(Rank me, std::size_t index);
  bool settle(Rank me);
  std::size_t place_of(Rank me, int open) const;
  std::int32_t message_for(Rank me, std::size_t index);
  void answer(Rank me, std::size_t index, std::int32_t message);
  void answer_to(Rank me, Rank from);
  void take(Rank me, std::size_t index, const Stamp& come);
  void check_match(Rank me, const Open& open, const Message& message) const;

  const Machine& machine_;
  const Costs& costs_;
  Wires& wires_;
  const Tick& tick_;
  Trace* trace_;
  Job job_;
  std::vector<Store<Action>> stores_;  ///< of the threads that make actions
  LargeVector<RankState> states_;
  TimeQueue queue_;
  std::vector<Rank> awake_;  ///< may go on at once
  Pool pool_;
  Counts counts_;
  std::int64_t moves_ = 0, sent_ = 0, next_tick_ = 0;
  bool any_order_ = false;  ///< sets are received from before all their messages have been sent
};

}  // namespace tutti::simulation
