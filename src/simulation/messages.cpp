/// One rank: its messages.
#include <algorithm>

#include "simulation/engine.hpp"

namespace tutti::simulation {

void Engine::send(Rank me, const Action& action) {
  RankState& rank = state(me);
  const LinkCosts& link = action.within ? costs_.within : costs_.between;
  const Time begin = rank.clock.at;
  costs_.work(me, Part::overhead, link.send_overhead(action.bytes), rank.clock);
  note(Event::Kind::send, me, action.peer, action.step, action.bytes, begin, rank.clock.at);
  ++sent_;
  Message message;
  message.step = action.step, message.set = action.set, message.bytes = action.bytes;
  const Journey journey{me,           job_.fold.representative(action.peer),   action.within,
                        action.bytes, static_cast<std::uint64_t>(action.step), queue_.now()};
  if (action.rendezvous) {
    message.asks = true;
    message.come = wires_.signal(journey, rank.clock);
    rank.open.push_back({.number = action.open,
                         .step = action.step,
                         .peer = action.peer,
                         .send = true,
                         .bytes = action.bytes,
                         .time = rank.clock});
  } else {
    Stamp left;
    message.come = wires_.carry(journey, rank.clock, left);
    note(Event::Kind::flight, me, action.peer, action.step, action.bytes, rank.clock.at, message.come.at);
  }
  if (message.come.at >= longest)
    fail(me, action.step, "sends a message that comes after 26 days or later: more than is simulated");
  deliver(me, action.peer, message);
}

void Engine::deliver(Rank me, Rank to, Message message) {
  const Rank there = job_.fold.representative(to);
  message.from = job_.fold.seen(to, me);
  RankState& receiver = state(there);
  if (receiver.done) fail(me, message.step, "sends a message that rank " + std::to_string(to) + " never receives");
  receiver.inbox.add(pool_, pool_.add(message));
  if (message.asks) answer_to(there, message.from);
  if (receiver.queued || (receiver.awaits != message.from && receiver.awaits != RankState::anybody)) return;
  receiver.queued = true;
  awake_.push_back(there);
}

void Engine::post(Rank me, const Action& action) {
  RankState& rank = state(me);
  rank.open.push_back({.number = action.open,
                       .step = action.step,
                       .peer = action.peer,
                       .set = action.set,
                       .within = action.within,
                       .bytes = action.bytes,
                       .time = rank.clock});
  if (action.set == no_set) answer_to(me, action.peer);
}

/// Answers a request of that rank's, if there is one and its receive is posted.
void Engine::answer_to(Rank me, Rank from) {
  const RankState& rank = state(me);
  for (std::size_t i = 0; i < rank.open.size(); ++i) {
    const Open& open = rank.open[i];
    if (open.send || open.settled || open.peer != from) continue;
    const std::int32_t message = message_for(me, i);
    if (message >= 0 && pool_[message].asks) answer(me, i, message);
    return;
  }
}

std::size_t Engine::place_of(Rank me, int open) const {
  const std::vector<Open>& all = states_[static_cast<std::size_t>(me)].open;
  std::size_t place = 0;
  while (all[place].number != open) ++place;
  return place;
}

/// The message that this receive gets, in order behind what is open before it; -1 where it has not been sent.
std::int32_t Engine::message_for(Rank me, std::size_t index) {
  const RankState& rank = state(me);
  int before = 0;
  for (std::size_t i = 0; i < index; ++i) {
    const Open& other = rank.open[i];
    before += !other.send && !other.settled && other.peer == rank.open[index].peer;
  }
  return rank.inbox.find(pool_, rank.open[index].peer, before);
}

void Engine::check_match(Rank me, const Open& open, const Message& message) const {
  if (open.bytes == message.bytes) return;
  fail(me, open.step,
       "makes room for " + std::to_string(open.bytes) + " bytes, but rank " + std::to_string(message.from) + " sends " +
           std::to_string(message.bytes) + " at its step " + std::to_string(message.step));
}

/// The receive is posted and the request has come: the data can leave.  The answer is the network's, so that the
/// receiver's processor is free meanwhile.
void Engine::answer(Rank me, std::size_t index, std::int32_t number) {
  const Message message = pool_[number];
  Open& open = state(me).open[index];
  check_match(me, open, message);
  state(me).inbox.remove(pool_, number);
  const Rank sender = job_.fold.representative(message.from);
  const bool within = machine_.node_of(me) == machine_.node_of(message.from);
  const Journey journey{sender, me, within, message.bytes, static_cast<std::uint64_t>(message.step), queue_.now()};
  Stamp ready = message.come, left;
  ready.join(open.time);
  ready.add(Part::overhead, (within ? costs_.within : costs_.between).receive);
  ready = wires_.signal(journey, ready);
  const Time begin = ready.at;
  open.time = wires_.carry(journey, ready, left);
  open.settled = true;
  if (open.time.at >= longest)
    fail(me, open.step, "receives a message that comes after 26 days or later: more than is simulated");
  note(Event::Kind::flight, sender, me, message.step, message.bytes, begin, open.time.at);
  ++moves_;
  RankState& other = state(sender);
  for (Open& sent : other.open)
    if (sent.send && sent.step == message.step) sent.time = left, sent.settled = true;
  if (other.queued || other.awaits != RankState::anybody) return;
  other.queued = true;
  awake_.push_back(sender);
}

/// This rank's side of a message that has come (or left).
void Engine::take(Rank me, std::size_t index, const Stamp& come) {
  RankState& rank = state(me);
  const Open& open = rank.open[index];
  const Time begin = rank.clock.at;
  rank.clock.join(come);
  note(Event::Kind::wait, me, open.peer, open.step, open.bytes, begin, rank.clock.at);
  if (!open.send) {
    const LinkCosts& link = open.within ? costs_.within : costs_.between;
    const Time ready = rank.clock.at;
    costs_.work(me, Part::overhead, link.receive_overhead(open.bytes), rank.clock);
    note(Event::Kind::receive, me, open.peer, open.step, open.bytes, ready, rank.clock.at);
  }
  rank.open.erase(rank.open.begin() + static_cast<std::ptrdiff_t>(index));
  rank.awaits = RankState::nobody;
  ++moves_;
}

/// Waits for that message; false where it has not been sent (or its data not asked for).
bool Engine::complete(Rank me, std::size_t index) {
  RankState& rank = state(me);
  const Open& open = rank.open[index];
  if (!open.settled && open.set != no_set && !open.send) return complete_any(me, index);
  if (open.settled) {
    take(me, index, Stamp(open.time));
    return true;
  }
  const std::int32_t message = open.send ? -1 : message_for(me, index);
  if (message < 0 || pool_[message].asks) {
    rank.awaits = open.send || message >= 0 ? RankState::anybody : open.peer;
    return false;
  }
  check_match(me, open, pool_[message]);
  const Stamp come = pool_[message].come;
  rank.inbox.remove(pool_, message);
  take(me, index, come);
  return true;
}

/// The first to come of a set, once all have been sent: who comes first is not known before.
bool Engine::complete_any(Rank me, std::size_t index) {
  RankState& rank = state(me);
  Open& open = rank.open[index];
  const auto set = std::ranges::find(rank.sets, open.set, &std::pair<int, int>::first);
  if (set == rank.sets.end()) fail(me, open.step, "set " + std::to_string(open.set) + " is not declared");
  std::int32_t first = -1;
  const auto order = [&](std::int32_t i) { return std::pair(pool_[i].come.at, pool_[i].from); };
  const int come = rank.inbox.of_set(pool_, open.set, [&](std::int32_t one) {
    if (first < 0 || order(one) < order(first)) first = one;
  });
  if (first < 0 || (come < set->second && !any_order_)) {
    rank.awaits = RankState::anybody;
    return false;
  }
  --set->second;
  open.peer = pool_[first].from;
  open.within = machine_.node_of(me) == machine_.node_of(open.peer);
  if (pool_[first].asks) {
    answer(me, index, first);
    take(me, index, Stamp(rank.open[index].time));
    return true;
  }
  check_match(me, open, pool_[first]);
  const Stamp arrived = pool_[first].come;
  rank.inbox.remove(pool_, first);
  take(me, index, arrived);
  return true;
}

/// All that is open, in the order of arrival: all of it must have been sent.
bool Engine::settle(Rank me) {
  RankState& rank = state(me);
  while (!rank.open.empty()) {
    std::size_t next = 0;
    Time earliest = INT64_MAX;
    for (std::size_t i = 0; i < rank.open.size(); ++i) {
      const Open& open = rank.open[i];
      Time at = open.settled ? open.time.at : -1;
      if (!open.settled && !open.send && open.set == no_set)
        if (const std::int32_t message = message_for(me, i); message >= 0 && !pool_[message].asks)
          at = pool_[message].come.at;
      if (at < earliest) earliest = at, next = i;
    }
    if (!complete(me, next)) return false;
  }
  return true;
}

}  // namespace tutti::simulation
