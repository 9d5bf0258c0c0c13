#pragma once
/// The order among operations of all ranks: events by time, of equal times by rank as in engine.hpp, then as they were
/// caused.
#include <deque>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>

#include "simulation/engine.hpp"
#include "simulation/goal/matching.hpp"

namespace tutti::simulation {

class GoalEngine {
 public:
  GoalEngine(const Machine& machine, const std::vector<Program>& programs, const Tick& tick, Trace* trace);
  /// When each rank has ended.  Throws SimulationError.
  std::vector<Stamp> run();
  const Counts& counts() const { return counts_; }

 private:
  struct Happening {
    enum class Kind : std::uint8_t {
      ready,     ///< all that the operation requires is there
      free,      ///< processor `operation` of the rank
      arrive,    ///< a message, or the request of a rendezvous, is at its receiver
      answered,  ///< the answer of a rendezvous is at the sender
      come       ///< the data of a rendezvous is at the receiver
    } kind = Kind::ready;
    Rank rank = 0;
    std::uint32_t operation = 0;
    Rank other = 0;  ///< of a message: the other side's rank and operation
    std::uint32_t its = 0;
    std::int32_t turn = 0;
    std::uint64_t number = 0;
    Stamp at{};
    bool operator>(const Happening& than) const {
      return std::tuple(at.at, turn, number) > std::tuple(than.at.at, than.turn, than.number);
    }
  };
  /// Work for a processor.
  struct Task {
    std::uint32_t operation = 0;
    Rank from = -1;  ///< a message that has come from there is taken; -1: the operation begins
    Stamp ready;
  };
  struct Processor {
    Stamp free;
    std::deque<Task> waiting;
    bool woken = false;  ///< a Happening tells when it is free
  };
  struct Host {
    std::vector<std::uint32_t> needed;             ///< by each operation
    std::unordered_map<std::uint32_t, Stamp> met;  ///< of operations that need more
    std::vector<Processor> processors;
    Matching matching;
    Stamp end;
    std::size_t left = 0;  ///< operations that have not ended
  };

  const Operation& operation(Rank rank, std::uint32_t number) const {
    return programs_[static_cast<std::size_t>(rank)].operations[number];
  }
  Host& host(Rank rank) { return hosts_[static_cast<std::size_t>(rank)]; }
  void check(Rank rank) const;
  void expect(Happening what);
  void happen(const Happening& what);
  void meet(Rank rank, std::uint32_t operation, const Stamp& at);
  void begun(Rank rank, std::uint32_t operation, const Stamp& at);
  void ended(Rank rank, std::uint32_t operation, const Stamp& at);
  void want_processor(Rank rank, const Task& task);
  void wake(Rank rank, std::uint32_t processor);
  void work(Rank rank, Processor& processor, const Task& task);
  void send(Rank rank, std::uint32_t number, Stamp& clock);
  void post(const Happening& ready);
  void arrive(const Happening& message);
  void match(Rank me, const Posted& receive, const Arrived& message);
  void answered(const Happening& answer);
  void in_order(Rank from, Rank to, Stamp& come);
  const LinkCosts& link(Rank one, Rank other) const {
    return machine_.node_of(one) == machine_.node_of(other) ? costs_.within : costs_.between;
  }
  bool rendezvous(Rank from, const Operation& send) const {
    return send.size >= static_cast<std::uint64_t>(link(from, static_cast<Rank>(send.peer)).rendezvous);
  }
  Journey journey(Rank from, std::uint32_t number) const;
  void note(Event::Kind kind, Rank rank, std::uint32_t operation, Rank peer, Time begin, Time end);
  [[noreturn]] void stuck();
  [[noreturn]] static void fail(Rank rank, std::uint32_t operation, const std::string& why);

  const Machine& machine_;
  const std::vector<Program>& programs_;
  const Tick& tick_;
  Trace* trace_;
  Costs costs_;
  Wires wires_;
  std::vector<Host> hosts_;
  std::priority_queue<Happening, std::vector<Happening>, std::greater<>> queue_;
  std::unordered_map<std::uint64_t, Time> last_arrival_;  ///< from rank to rank
  Time now_ = 0;
  std::uint64_t caused_ = 0;
  Counts counts_;
};

}  // namespace tutti::simulation
