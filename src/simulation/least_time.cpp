#include "simulation/least_time.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/bounds.hpp"
#include "simulation/costs.hpp"

namespace tutti::simulation {
namespace {

/// Until so many know: each who knows begins `senders` messages every `gap`, and a message takes `flight`.
Time spreading(std::int64_t all, Time gap, Time flight, std::int64_t senders) {
  if (all <= 1) return 0;
  if (gap <= 0) return flight;
  std::int64_t informed = 1;
  std::vector<std::pair<Time, std::int64_t>> queue{{0, 1}};  // when how many send
  const auto later = [](const auto& a, const auto& b) { return a.first > b.first; };
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), later);
    auto [at, count] = queue.back();
    queue.pop_back();
    while (!queue.empty() && queue.front().first == at) {
      std::pop_heap(queue.begin(), queue.end(), later);
      count += queue.back().second;
      queue.pop_back();
    }
    informed += count * senders;
    if (informed >= all) return at + flight;
    queue.emplace_back(at + gap, count), std::push_heap(queue.begin(), queue.end(), later);
    queue.emplace_back(at + flight, count * senders), std::push_heap(queue.begin(), queue.end(), later);
  }
  return 0;
}

}  // namespace

Time least_time(const Machine& machine, const Problem& problem) {
  const Costs costs(machine);
  const std::int64_t bytes = problem.counts[0];
  const bool exchanges = all_to_all(problem.collective);
  if (bytes == 0 && problem.collective != Collective::barrier) return 0;
  const Time reductions = exchanges ? 0 : LinkCosts::scaled(costs.reduce_per_byte, lower_bound(problem).reduced);
  if (machine.nodes == 1) return std::max(reductions, machine.per_node > 1 ? costs.within.latency : 0);
  const LinkCosts& wire = costs.between;
  const bool alone = machine.per_node == 1;
  const Time gap = alone ? std::max(wire.gap, wire.send) : std::min(wire.gap, wire.send);
  const Time news = spreading(machine.nodes, gap, wire.send + wire.latency + wire.receive, machine.per_node);
  Problem nodes = problem;
  nodes.size = machine.nodes, nodes.root = machine.node_of(problem.root);
  nodes.counts = {one_vector(problem.collective) ? bytes : bytes * machine.per_node};
  const std::int64_t moved =
      exchanges ? bytes * machine.per_node * machine.per_node * (machine.nodes - 1) : lower_bound(nodes).moved;
  const Time wires = moved > 0 ? wire.transfer(moved / machine.cards) + wire.latency : 0;
  return std::max({reductions, news, wires});
}

}  // namespace tutti::simulation
