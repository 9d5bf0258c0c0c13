#include "simulation/goal/goal_engine.hpp"

#include <algorithm>

namespace tutti::simulation {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 50;
constexpr std::uint64_t per_nanosecond = 1000;

std::string tag_text(std::uint32_t tag) { return tag == any ? "any tag" : "tag " + std::to_string(tag); }

}  // namespace

GoalEngine::GoalEngine(const Machine& machine, const std::vector<Program>& programs, const Tick& tick, Trace* trace)
    : machine_(machine),
      programs_(programs),
      tick_(tick),
      trace_(trace),
      costs_(machine),
      wires_(machine, costs_),
      hosts_(programs.size()) {}

void GoalEngine::fail(Rank rank, std::uint32_t operation, const std::string& why) {
  throw SimulationError("rank " + std::to_string(rank) + ", operation " + std::to_string(std::uint64_t{operation} + 1) +
                        ": " + why);
}

std::vector<Stamp> GoalEngine::run() {
  for (Rank rank = 0; rank < static_cast<Rank>(hosts_.size()); ++rank) {
    check(rank);
    const Program& program = programs_[static_cast<std::size_t>(rank)];
    Host& mine = host(rank);
    mine.needed = program.needed();
    mine.left = program.operations.size();
    std::uint8_t cpus = 0;
    for (const Operation& one : program.operations) cpus = std::max(cpus, one.cpu);
    mine.processors.resize(std::size_t{cpus} + 1);
    for (std::uint32_t i = 0; i < mine.needed.size(); ++i)
      if (mine.needed[i] == 0) expect({.kind = Happening::Kind::ready, .rank = rank, .operation = i});
  }
  for (std::int64_t count = 0; !queue_.empty(); ++count) {
    const Happening next = queue_.top();
    queue_.pop();
    now_ = next.at.at;
    happen(next);
    if (tick_ && count % (1 << 18) == 0) tick_(counts_.messages);
  }
  std::vector<Stamp> ends;
  for (const Host& each : hosts_) {
    if (each.left > 0 || each.matching.left()) stuck();
    ends.push_back(each.end);
  }
  return ends;
}

/// Numbers that the rest may rely on.
void GoalEngine::check(Rank rank) const {
  const auto ranks = static_cast<std::uint32_t>(programs_.size());
  const std::vector<Operation>& all = programs_[static_cast<std::size_t>(rank)].operations;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const Operation& one = all[i];
    if (one.kind == Operation::Kind::calc) {
      if (one.size > static_cast<std::uint64_t>(longest) / per_nanosecond)
        fail(rank, i, "computes for 26 days or longer: more than is simulated");
      continue;
    }
    if (one.size > most_bytes)
      fail(rank, i, "a message has 1 PiB at most, and not " + std::to_string(one.size) + " bytes");
    if (one.peer == static_cast<std::uint32_t>(rank))
      fail(rank, i, "names its own rank as the other side, which is not simulated");
    const bool from_any = one.kind == Operation::Kind::receive && one.peer == any;
    if (one.peer >= ranks && !from_any) fail(rank, i, "there is no rank " + std::to_string(one.peer));
    if (one.nic >= machine_.cards)
      fail(rank, i,
           "uses nic " + std::to_string(one.nic) + ", and a node of the machine has " + std::to_string(machine_.cards) +
               (machine_.cards == 1 ? " card" : " cards"));
  }
}

void GoalEngine::expect(Happening what) {
  if (what.at.at >= longest)
    fail(what.rank, what.kind == Happening::Kind::free ? 0 : what.operation,
         "is after 26 days or later: more than is simulated");
  what.turn = machine_.place_of(what.rank) * machine_.nodes + machine_.node_of(what.rank);
  what.number = caused_++;
  queue_.push(what);
}

void GoalEngine::happen(const Happening& what) {
  switch (what.kind) {
    case Happening::Kind::ready:
      if (operation(what.rank, what.operation).kind == Operation::Kind::receive) return post(what);
      return want_processor(what.rank, {what.operation, -1, what.at});
    case Happening::Kind::free:
      return wake(what.rank, what.operation);
    case Happening::Kind::arrive:
      return arrive(what);
    case Happening::Kind::answered:
      return answered(what);
    case Happening::Kind::come:
      return want_processor(what.rank, {what.operation, what.other, what.at});
  }
}

/// One of the things that the operation requires is there at that time.
void GoalEngine::meet(Rank rank, std::uint32_t operation, const Stamp& at) {
  Host& mine = host(rank);
  const auto found = mine.met.find(operation);
  if (--mine.needed[operation] > 0) {
    if (found == mine.met.end())
      mine.met.emplace(operation, at);
    else
      found->second.join(at);
    return;
  }
  Stamp ready = at;
  if (found != mine.met.end()) {
    found->second.join(at);
    ready = found->second;
    mine.met.erase(found);
  }
  expect({.kind = Happening::Kind::ready, .rank = rank, .operation = operation, .at = ready});
}

void GoalEngine::begun(Rank rank, std::uint32_t operation, const Stamp& at) {
  for (const std::uint32_t each : programs_[static_cast<std::size_t>(rank)].after_start(operation))
    meet(rank, each, at);
}

void GoalEngine::ended(Rank rank, std::uint32_t operation, const Stamp& at) {
  Host& mine = host(rank);
  if (at.at >= longest) fail(rank, operation, "ends after 26 days or later: more than is simulated");
  --mine.left;
  mine.end.join(at);
  for (const std::uint32_t each : programs_[static_cast<std::size_t>(rank)].after_end(operation)) meet(rank, each, at);
}

/// Now, or behind those that have waited longer.
void GoalEngine::want_processor(Rank rank, const Task& task) {
  const std::uint8_t cpu = operation(rank, task.operation).cpu;
  Processor& processor = host(rank).processors[cpu];
  if (processor.waiting.empty() && processor.free.at <= now_) return work(rank, processor, task);
  processor.waiting.push_back(task);
  if (processor.woken) return;
  processor.woken = true;
  expect({.kind = Happening::Kind::free, .rank = rank, .operation = cpu, .at = processor.free});
}

void GoalEngine::wake(Rank rank, std::uint32_t number) {
  Processor& processor = host(rank).processors[number];
  const Task task = processor.waiting.front();
  processor.waiting.pop_front();
  processor.woken = false;
  work(rank, processor, task);
  if (processor.waiting.empty() || processor.woken) return;
  processor.woken = true;
  expect({.kind = Happening::Kind::free, .rank = rank, .operation = number, .at = processor.free});
}

void GoalEngine::work(Rank rank, Processor& processor, const Task& task) {
  const Operation& one = operation(rank, task.operation);
  Stamp clock = task.ready;
  clock.join(processor.free);
  const Time begin = clock.at;
  if (task.from >= 0) {
    costs_.work(rank, Part::overhead, link(rank, task.from).receive_overhead(static_cast<std::int64_t>(one.size)),
                clock);
    processor.free = clock;
    note(Event::Kind::receive, rank, task.operation, task.from, begin, clock.at);
    return ended(rank, task.operation, clock);
  }
  begun(rank, task.operation, clock);
  if (one.kind == Operation::Kind::send) {
    send(rank, task.operation, clock);
    processor.free = clock;
    if (!rendezvous(rank, one)) ended(rank, task.operation, clock);
    return;
  }
  costs_.work(rank, Part::work, static_cast<Time>(one.size * per_nanosecond), clock);
  processor.free = clock;
  note(Event::Kind::calc, rank, task.operation, -1, begin, clock.at);
  ended(rank, task.operation, clock);
}

void GoalEngine::note(Event::Kind kind, Rank rank, std::uint32_t number, Rank peer, Time begin, Time end) {
  if (!trace_ || (begin == end && kind != Event::Kind::flight)) return;
  if (trace_->events.size() >= trace_->most)
    fail(rank, number, "a timeline holds " + std::to_string(trace_->most) + " events; take a smaller program");
  const Operation& one = operation(rank, number);
  const std::int64_t bytes = one.kind == Operation::Kind::calc ? 0 : static_cast<std::int64_t>(one.size);
  trace_->events.push_back({kind, rank, peer, static_cast<std::int32_t>(number + 1), bytes, begin, end});
}

/// Nothing moves any more, and not all has ended: a receive without a message, a message without a receive, or a
/// circle.
void GoalEngine::stuck() {
  const auto waiting = std::ranges::count_if(hosts_, [](const Host& each) { return each.left > 0; });
  const auto ranks = static_cast<Rank>(hosts_.size());
  const std::string so_many = " (ranks that wait: " + std::to_string(waiting) + ")";
  for (Rank rank = 0; rank < ranks; ++rank)
    if (const auto receive = host(rank).matching.waiting()) {
      const Operation& one = operation(rank, *receive);
      std::string why = "waits for a message from ";
      why += one.peer == any ? "any rank" : "rank " + std::to_string(one.peer);
      why.append(", ").append(tag_text(one.tag)).append(", in vain").append(so_many);
      fail(rank, *receive, why);
    }
  for (Rank rank = 0; rank < ranks; ++rank)
    if (const Arrived* message = host(rank).matching.left())
      fail(message->from, message->operation,
           "sends a message, " + tag_text(operation(message->from, message->operation).tag) + ", that rank " +
               std::to_string(rank) + " never receives");
  for (Rank rank = 0; rank < ranks; ++rank)
    for (std::uint32_t i = 0; i < host(rank).needed.size(); ++i)
      if (host(rank).needed[i] > 0) fail(rank, i, "never begins: what it requires waits for it in turn" + so_many);
  throw SimulationError("nothing moves any more" + so_many);
}

}  // namespace tutti::simulation
