/// Messages of GOAL's programs: sent, matched, received.
#include <algorithm>

#include "simulation/goal/goal_engine.hpp"

namespace tutti::simulation {

Journey GoalEngine::journey(Rank from, std::uint32_t number) const {
  const Operation& one = operation(from, number);
  const auto to = static_cast<Rank>(one.peer);
  return {.from = from,
          .to = to,
          .within = machine_.node_of(from) == machine_.node_of(to),
          .bytes = static_cast<std::int64_t>(one.size),
          .number = number,
          .now = now_,
          .card = one.nic};
}

void GoalEngine::send(Rank me, std::uint32_t number, Stamp& clock) {
  const Operation& one = operation(me, number);
  const auto to = static_cast<Rank>(one.peer);
  const Time begin = clock.at;
  costs_.work(me, Part::overhead, link(me, to).send_overhead(static_cast<std::int64_t>(one.size)), clock);
  note(Event::Kind::send, me, number, to, begin, clock.at);
  const Journey way = journey(me, number);
  counts_.add(way.within, way.bytes);
  Stamp come, left;
  if (rendezvous(me, one)) {
    come = wires_.signal(way, clock);
  } else {
    come = wires_.carry(way, clock, left);
    note(Event::Kind::flight, me, number, to, clock.at, come.at);
  }
  in_order(me, to, come);
  expect({.kind = Happening::Kind::arrive, .rank = to, .operation = 0, .other = me, .its = number, .at = come});
}

/// A message does not overtake an earlier one between the same ranks.
void GoalEngine::in_order(Rank from, Rank to, Stamp& come) {
  Time& last = last_arrival_[static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to)];
  come.wait_until(last);
  last = come.at;
}

void GoalEngine::post(const Happening& ready) {
  begun(ready.rank, ready.operation, ready.at);
  const Operation& one = operation(ready.rank, ready.operation);
  const Envelope wanted{one.peer, one.tag};
  Matching& matching = host(ready.rank).matching;
  const Posted receive{ready.operation, 0, ready.at};
  if (const auto message = matching.message_for(wanted))
    match(ready.rank, receive, *message);
  else
    matching.post(wanted, receive);
}

void GoalEngine::arrive(const Happening& what) {
  Matching& matching = host(what.rank).matching;
  const Envelope sent{static_cast<std::uint32_t>(what.other), operation(what.other, what.its).tag};
  const Arrived message{what.other, what.its, 0, what.at};
  if (const auto receive = matching.receive_for(sent))
    match(what.rank, *receive, message);
  else
    matching.arrive(sent, message);
}

/// Both are there, now: the message is taken; or the answer of a rendezvous goes back, by the network.
void GoalEngine::match(Rank me, const Posted& receive, const Arrived& message) {
  const Operation &room = operation(me, receive.operation), &sent = operation(message.from, message.operation);
  if (sent.size > room.size)
    fail(me, receive.operation,
         "makes room for " + std::to_string(room.size) + " bytes, but rank " + std::to_string(message.from) +
             " sends " + std::to_string(sent.size) + " with its operation " + std::to_string(message.operation + 1));
  Stamp ready = message.come;
  ready.join(receive.since);
  if (!rendezvous(message.from, sent)) return want_processor(me, {receive.operation, message.from, ready});
  ready.add(Part::overhead, link(me, message.from).receive);
  Journey back = journey(message.from, message.operation);
  std::swap(back.from, back.to);
  ready = wires_.signal(back, ready);
  expect({.kind = Happening::Kind::answered,
          .rank = message.from,
          .operation = message.operation,
          .other = me,
          .its = receive.operation,
          .at = ready});
}

/// The data of a rendezvous leaves.
void GoalEngine::answered(const Happening& answer) {
  Stamp left;
  const Stamp come = wires_.carry(journey(answer.rank, answer.operation), answer.at, left);
  note(Event::Kind::flight, answer.rank, answer.operation, answer.other, answer.at.at, come.at);
  expect({.kind = Happening::Kind::come,
          .rank = answer.other,
          .operation = answer.its,
          .other = answer.rank,
          .its = answer.operation,
          .at = come});
  ended(answer.rank, answer.operation, left);
}

}  // namespace tutti::simulation
