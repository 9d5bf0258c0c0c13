#include "simulation/network/wires.hpp"

#include <algorithm>

namespace tutti::simulation {
namespace {

constexpr std::int64_t nobody = -1, several = -2;

}  // namespace

Wires::Wires(const Machine& machine, const Costs& costs)
    : machine_(machine), costs_(costs), routes_(machine.network, machine.nodes) {
  const auto cards = static_cast<std::size_t>(machine.nodes) * static_cast<std::size_t>(machine.cards);
  sending_.resize(cards), receiving_.resize(cards);
  senders_.resize(cards, nobody), receivers_.resize(cards, nobody);
  if (machine.per_node > 1) ports_.resize(static_cast<std::size_t>(machine.ranks()));
  links_.resize(static_cast<std::size_t>(routes_.links()));
}

Time Wires::reserve(std::vector<Reservations>& cards, std::vector<std::int64_t>& users, std::size_t number,
                    std::int64_t user, Time ready, Time length, Time now) {
  std::int64_t& known = users[number];
  if (known != user) known = known == nobody ? user : several;
  const Time begin = cards[number].reserve(ready, length, now);
  contended_ |= begin > ready && known == several;
  return begin;
}

Stamp Wires::carry_within(const Journey& journey, Stamp ready, Stamp& left) {
  const Time transfer = costs_.within.transfer(journey.bytes);
  ready.wait_until(
      ports_[static_cast<std::size_t>(journey.from)].reserve(ready.at, costs_.within.gap + transfer, journey.now));
  ready.add(Part::transfer, transfer);
  left = ready;
  return signal(journey, ready);
}

Stamp Wires::signal(const Journey& journey, Stamp ready) const {
  const Time latency = (journey.within ? costs_.within : costs_.between).latency;
  ready.add(Part::latency, latency);
  ready.add(Part::noise, costs_.jitter(journey.from, journey.to, journey.number, latency));
  return ready;
}

/// The first byte waits until each link is free; returns how long the slowest takes for all of them.
Time Wires::pass_links(const Journey& journey, Stamp& head, Time transfer) {
  if (links_.empty()) return transfer;
  const int switches = routes_.between(machine_.node_of(journey.from), machine_.node_of(journey.to), hops_);
  Time slowest = transfer;
  for (const Hop& hop : hops_) {
    const auto time = static_cast<Time>(static_cast<double>(transfer) / hop.speed);
    head.wait_until(links_[static_cast<std::size_t>(hop.link)].reserve(head.at, time, journey.now));
    slowest = std::max(slowest, time);
  }
  head.add(Part::latency, (switches - 1) * picoseconds(machine_.network.hop));
  return slowest;
}

Stamp Wires::carry(const Journey& journey, Stamp ready, Stamp& left) {
  if (journey.within) return carry_within(journey, ready, left);
  const Time transfer = costs_.between.transfer(journey.bytes), gap = costs_.between.gap;
  const Time out = costs_.on_card(machine_.node_of(journey.from), transfer),
             in = costs_.on_card(machine_.node_of(journey.to), transfer);
  ready.wait_until(
      reserve(sending_, senders_, card(journey.from, journey.card), journey.from, ready.at, gap + out, journey.now));
  left = ready;
  left.add(Part::transfer, out);
  const Time slowest = std::max(pass_links(journey, ready, out), in);
  Stamp come = signal(journey, ready);
  const std::int64_t pair = std::int64_t{journey.from} * machine_.ranks() + journey.to;
  come.wait_until(
      reserve(receiving_, receivers_, card(journey.to, journey.card), pair, come.at, gap + in, journey.now));
  come.add(Part::transfer, slowest);
  return come;
}

}  // namespace tutti::simulation
