#include "simulation/engine.hpp"

#include <algorithm>
#include <exception>
#include <thread>

namespace tutti::simulation {
namespace {

/// Actions of a rank that are made at a time: most schedules of trees and cubes have fewer, and need their coroutines
/// no longer.
constexpr std::size_t batch = 256;
constexpr int worth_a_thread = 2048;  // ranks

}  // namespace

Engine::Engine(const Machine& machine, const Costs& costs, Wires& wires, const Tick& tick, Trace* trace)
    : machine_(machine), costs_(costs), wires_(wires), tick_(tick), trace_(trace) {}

std::vector<Stamp> Engine::run(Job job) {
  job_ = std::move(job);
  begin();
  work_off();
  std::vector<Stamp> ends;
  ends.reserve(states_.size());
  for (const RankState& rank : states_) {
    if (!rank.done) stuck();
    ends.push_back(rank.clock);
  }
  states_.clear();
  return ends;
}

void Engine::begin() {
  const int simulated = job_.fold.period;
  states_.clear();
  states_.resize(static_cast<std::size_t>(simulated));
  queue_.restart();
  const int threads = std::clamp(simulated / worth_a_thread, 1, std::max(1, job_.threads));
  stores_.clear();
  stores_.resize(static_cast<std::size_t>(threads));
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(threads));
  std::vector<Counts> counts(static_cast<std::size_t>(threads));
  const auto part = [&](int i) {
    const auto from = static_cast<Rank>(std::int64_t{simulated} * i / threads),
               end = static_cast<Rank>(std::int64_t{simulated} * (i + 1) / threads);
    const auto place = static_cast<std::size_t>(i);
    try {
      counts[place] = make_actions(from, end, stores_[place]);
    } catch (...) {
      failures[place] = std::current_exception();
    }
  };
  std::vector<std::thread> workers;
  for (int i = 1; i < threads; ++i) workers.emplace_back(part, i);
  part(0);
  for (std::thread& worker : workers) worker.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  for (const Counts& made : counts) counts_ += made;
  for (Rank rank = 0; rank < simulated; ++rank) {
    RankState& started = state(rank);
    started.clock = job_.start[static_cast<std::size_t>(rank)];
    started.queued = true;
    queue_.push({started.clock.at, turn(rank), rank});
  }
}

/// Of ranks from `first` on.  A rank whose schedule is known to its end keeps no coroutine.
Counts Engine::make_actions(Rank first, Rank end, Store<Action>& store) {
  std::vector<Action> made;
  Counts counts;
  for (Rank rank = first; rank < end; ++rank) {
    const std::int64_t block = job_.blocks[static_cast<std::size_t>(rank % job_.lanes)];
    Ordering ordering(job_.schedule(rank), {rank, job_.ranks, job_.lanes, block});
    made.clear();
    const bool all = ordering.next(machine_, made, batch);
    counts += ordering.counted();
    state(rank).actions = store.add(made);
    if (!all) state(rank).unmade.reset(new Unmade{std::move(ordering), {}});
  }
  return counts;
}

bool Engine::more_actions(Rank me) {
  RankState& rank = state(me);
  if (!rank.unmade || rank.unmade->ended) return false;
  Unmade& unmade = *rank.unmade;
  unmade.actions.clear();
  unmade.ended = unmade.ordering.next(machine_, unmade.actions, batch);
  counts_ += unmade.ordering.counted();
  rank.actions = unmade.actions;
  rank.next = 0;
  return !rank.actions.empty();
}

void Engine::work_off() {
  for (;;) {
    while (!awake_.empty()) {
      const Rank rank = awake_.back();
      awake_.pop_back();
      state(rank).queued = false;
      advance(rank);
    }
    if (queue_.empty()) {
      const std::int64_t before = moves_;
      break_ties();
      if (moves_ == before) return;
      continue;
    }
    // What a rank is about to touch lies anywhere in memory: it is asked for in time.
    if (const Rank soon = queue_.ahead(12); soon >= 0) __builtin_prefetch(&state(soon), 1);
    if (const Rank next = queue_.ahead(6); next >= 0) __builtin_prefetch(state(next).actions.data() + state(next).next);
    const Rank rank = queue_.pop().rank;
    state(rank).queued = false;
    advance(rank);
    if (sent_ >= next_tick_) {
      if (tick_) tick_(sent_);
      next_tick_ = sent_ + (1 << 18);
    }
  }
}

/// Nothing moves: perhaps because ranks wait for all messages of a set before they take the first.
void Engine::break_ties() {
  any_order_ = true;
  const std::int64_t before = moves_;
  for (Rank rank = 0; rank < job_.fold.period && moves_ == before; ++rank)
    if (!state(rank).done && !state(rank).sets.empty()) advance(rank);
  any_order_ = false;
}

void Engine::stuck() {
  int waiting = 0;
  Rank first = -1;
  for (Rank rank = 0; rank < job_.fold.period; ++rank) {
    if (state(rank).done) continue;
    ++waiting;
    if (first < 0) first = rank;
  }
  const RankState& rank = state(first);
  const int step = rank.open.empty() ? 0 : rank.open.front().step;
  const std::string whom = rank.awaits >= 0 ? "a message from rank " + std::to_string(rank.awaits) : "its peers";
  fail(first, step,
       "waits for " + whom + " in vain, and nothing moves any more (ranks that wait: " + std::to_string(waiting) + ")");
}

void Engine::fail(Rank rank, int step, const std::string& why) const {
  throw SimulationError("rank " + std::to_string(rank) + ", step " + std::to_string(step) + ": " + why);
}

void Engine::note(Event::Kind kind, Rank rank, Rank peer, int step, std::int64_t bytes, Time begin, Time end) {
  if (!trace_ || (begin == end && kind != Event::Kind::flight)) return;
  if (trace_->events.size() >= trace_->most)
    fail(rank, step, "a timeline holds " + std::to_string(trace_->most) + " events; take fewer ranks");
  trace_->events.push_back({kind, rank, peer, step, bytes, begin, end});
}

/// Until the rank waits, has ended, or comes to a send in the future.
void Engine::advance(Rank me) {
  RankState& rank = state(me);
  while (!rank.done) {
    if (rank.next == rank.actions.size() && !more_actions(me)) return;
    const Action& action = rank.actions[rank.next];
    if (action.kind == Action::Kind::send && rank.clock.at > queue_.now()) {
      rank.queued = true;
      queue_.push({rank.clock.at, turn(me), me});
      return;
    }
    if (!act(me, action)) return;
    if (!rank.done) ++rank.next;
  }
}

bool Engine::act(Rank me, const Action& action) {
  RankState& rank = state(me);
  switch (action.kind) {
    case Action::Kind::send:
      ++moves_;
      send(me, action);
      return true;
    case Action::Kind::post:
      post(me, action);
      return true;
    case Action::Kind::complete:
      return complete(me, place_of(me, action.open));
    case Action::Kind::receive:
      if (rank.awaits == RankState::nobody) post(me, action);
      return complete(me, place_of(me, action.open));
    case Action::Kind::settle:
      return settle(me);
    case Action::Kind::reduce:
    case Action::Kind::copy:
      work(me, action);
      return true;
    case Action::Kind::declare:
      rank.sets.emplace_back(action.set, action.peer);
      return true;
    case Action::Kind::end:
      end(me, action);
      return true;
  }
  return false;
}

void Engine::work(Rank me, const Action& action) {
  RankState& rank = state(me);
  const bool reduces = action.kind == Action::Kind::reduce;
  const Time begin = rank.clock.at;
  costs_.work(me, Part::work, LinkCosts::scaled(reduces ? costs_.reduce_per_byte : costs_.copy_per_byte, action.bytes),
              rank.clock);
  note(reduces ? Event::Kind::reduce : Event::Kind::copy, me, -1, action.step, action.bytes, begin, rank.clock.at);
}

void Engine::end(Rank me, const Action& action) {
  RankState& rank = state(me);
  if (const std::int32_t left = rank.inbox.first(); left >= 0)
    fail(me, action.step,
         "ends without receiving what rank " + std::to_string(pool_[left].from) + " sends at its step " +
             std::to_string(pool_[left].step));
  if (rank.clock.at >= longest) fail(me, action.step, "ends after 26 days or later: more than is simulated");
  rank.done = true;
  ++moves_;
  rank.unmade.reset();
  rank.actions = {};
  rank.next = 0;
}

}  // namespace tutti::simulation
