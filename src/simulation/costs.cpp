#include "simulation/costs.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::simulation {
namespace {

/// SplitMix64: the same numbers on every machine.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// Above 0, up to 1.
double drawn(std::uint64_t value) { return (static_cast<double>(mixed(value) >> 11) + 1) * 0x1p-53; }

}  // namespace

LinkCosts::LinkCosts(const LogGops& link)
    : latency(picoseconds(link.latency)),
      send(picoseconds(link.send)),
      receive(picoseconds(link.receive)),
      gap(picoseconds(link.gap)),
      per_byte(link.per_byte * per_second),
      overhead_per_byte(link.overhead_per_byte * per_second),
      rendezvous(link.rendezvous) {}

Costs::Costs(const Machine& machine)
    : between(machine.between),
      within(machine.within),
      reduce_per_byte(machine.reduce_per_byte * per_second),
      copy_per_byte(machine.copy_per_byte * per_second),
      memory_per_byte(machine.memory_per_byte * per_second),
      machine_(machine),
      period_(machine.noise.duration > 0 ? picoseconds(machine.noise.period) : 0),
      duration_(picoseconds(machine.noise.duration)),
      jitter_(machine.noise.jitter) {
  if (machine.slow_nodes.empty() || machine.slowdown == 1) return;
  slow_.resize(static_cast<std::size_t>(machine.nodes));
  for (const int node : machine.slow_nodes) slow_[static_cast<std::size_t>(node)] = true;
}

Time Costs::scaled(int node, Time time) const {
  if (!slow_[static_cast<std::size_t>(node)]) return time;
  return static_cast<Time>(std::llround(static_cast<double>(time) * machine_.slowdown));
}

/// Detours begin at phase, phase + period, ...; one that begins while the rank works makes the work end later.  A rank
/// that waits loses nothing by a detour, unless one is under way when it goes on.
void Costs::work_otherwise(Rank rank, Part part, Time time, Stamp& clock) const {
  if (!slow_.empty()) time = scaled(machine_.node_of(rank), time);
  if (period_ == 0 || time == 0) return clock.add(part, time);
  const auto phase = static_cast<Time>(mixed(machine_.noise.seed ^ mixed(static_cast<std::uint64_t>(rank))) %
                                       static_cast<std::uint64_t>(period_));
  const Time since = clock.at - phase;
  Time delay = 0;
  if (since >= 0 && since % period_ < duration_) delay = duration_ - since % period_;
  // Detours that begin after the start of the work: each moves the next ones nearer to its end.
  const Time first = since < 0 ? -since : period_ - since % period_;  // from now to the next begin
  const Time free = period_ - duration_;                              // work between two detours
  const Time before = first - delay;
  if (time > before) delay += duration_ * (1 + (time - before - 1) / free);
  clock.add(part, time);
  clock.add(Part::noise, delay);
}

Time Costs::drawn_jitter(Rank from, Rank to, std::uint64_t number, Time latency) const {
  const std::uint64_t pair = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  const double share = -std::log(drawn(machine_.noise.seed ^ mixed(pair) ^ mixed(~number))) * jitter_;
  return static_cast<Time>(std::llround(share * static_cast<double>(latency)));
}

}  // namespace tutti::simulation
