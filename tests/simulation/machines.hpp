#pragma once
/// Machines and calls that the tests simulate.
#include "simulation/simulate.hpp"

namespace tutti::simulation {

/// o = 1 us on either side, g = 2 us, L = 10 us, G = 1 ns a byte; a reduction takes 2 ns a byte, a copy 1 ns.  Inside a
/// node o = 0.5 us, L = 1 us, G = 0.5 ns.
inline Machine plain(int nodes, int per_node = 1) {
  Machine machine;
  machine.nodes = nodes, machine.per_node = per_node;
  machine.between = {10e-6, 1e-6, 1e-6, 2e-6, 1e-9, 0, INT64_MAX};
  machine.within = {1e-6, 0.5e-6, 0.5e-6, 0, 0.5e-9, 0, INT64_MAX};
  machine.reduce_per_byte = 2e-9, machine.copy_per_byte = 1e-9;
  return machine;
}

inline constexpr Time microsecond = 1'000'000;

inline Call call_of(Collective which, std::string_view name, std::int64_t bytes, Parameters parameters = {}) {
  const Algorithm* algorithm = find_algorithm(which, name);
  if (!algorithm) throw std::invalid_argument("no " + std::string(name));
  return {.collective = which, .root = 0, .bytes = bytes, .schedule = algorithm->schedule, .parameters = parameters};
}

inline Options unfolded() { return {.fold = false}; }

}  // namespace tutti::simulation
