#include "simulation/machine.hpp"

#include <cmath>
#include <stdexcept>

namespace tutti::simulation {
namespace {

constexpr std::int64_t most_ranks = std::int64_t{1} << 24;

void refuse(const std::string& field, const std::string& why) { throw std::invalid_argument(field + ": " + why); }

void check_time(const std::string& field, double value) {
  if (!(value >= 0) || value > 1e3) refuse(field, "a time is from 0 to 1000 seconds");
}

void check(const std::string& name, const LogGops& link) {
  check_time(name + ".latency", link.latency);
  check_time(name + ".send", link.send), check_time(name + ".receive", link.receive);
  check_time(name + ".gap", link.gap);
  check_time(name + ".per_byte", link.per_byte), check_time(name + ".overhead_per_byte", link.overhead_per_byte);
  if (link.rendezvous < 0) refuse(name + ".rendezvous", "a number of bytes is not negative");
}

void check(const Network& network, int nodes) {
  check_time("network.hop", network.hop);
  const bool grouped = network.topology == Topology::fat_tree || network.topology == Topology::dragonfly;
  if (grouped && network.leaf < 1) refuse("network.leaf", "a switch or group has one node or more");
  if (grouped && !(network.taper > 0 && std::isfinite(network.taper)))
    refuse("network.taper", "a taper is above 0 (1: as many links upward as nodes)");
  if (network.topology != Topology::torus) return;
  std::int64_t product = 1;
  for (const int side : network.sides) {
    if (side < 1) refuse("network.sides", "a torus has one node or more along each dimension");
    product = std::min<std::int64_t>(product * side, most_ranks + 1);
  }
  if (network.sides.empty() || product != nodes)
    refuse("network.sides", "they multiply to " + std::to_string(network.sides.empty() ? 0 : product) +
                                ", and the machine has " + std::to_string(nodes) + " nodes");
}

}  // namespace

void check(const Machine& machine) {
  if (machine.nodes < 1) refuse("nodes", "a machine has one node or more");
  if (machine.per_node < 1) refuse("per_node", "a node has one rank or more");
  if (std::int64_t{machine.nodes} * machine.per_node > most_ranks)
    refuse("nodes", std::to_string(std::int64_t{machine.nodes} * machine.per_node) +
                        " ranks are more than the 16777216 that are simulated");
  if (machine.cards < 1 || machine.cards > machine.per_node)
    refuse("cards", "a node has from one network card to one a rank (" + std::to_string(machine.per_node) + ")");
  check("between", machine.between), check("within", machine.within);
  check_time("reduce_per_byte", machine.reduce_per_byte), check_time("copy_per_byte", machine.copy_per_byte);
  check_time("memory_per_byte", machine.memory_per_byte);
  check(machine.network, machine.nodes);
  check_time("noise.period", machine.noise.period), check_time("noise.duration", machine.noise.duration);
  if (machine.noise.duration > 0 && machine.noise.duration >= machine.noise.period)
    refuse("noise.duration", "noise leaves a part of its period to the program");
  if (!(machine.noise.jitter >= 0 && machine.noise.jitter <= 100)) refuse("noise.jitter", "a share from 0 to 100");
  if (!(machine.slowdown >= 1 && machine.slowdown <= 1e6)) refuse("slowdown", "a factor from 1 to a million");
  for (const int node : machine.slow_nodes)
    if (node < 0 || node >= machine.nodes)
      refuse("slow_nodes", "there is no node " + std::to_string(node) + " among " + std::to_string(machine.nodes));
}

}  // namespace tutti::simulation
