#pragma once
/// The counter: what schedules cost on the critical path, in the paper's terms (T = rounds alpha + moved beta +
/// reduced gamma).
#include <cstdint>
#include <functional>

#include "analysis/problem.hpp"

namespace tutti {

/// Each of the three is the longest path by itself, ranks being full duplex: a rank sends as many messages as it has
/// ports, receives as many, and reduces one run of elements at a time, in the order of its program.
struct Cost {
  std::int64_t rounds = 0;    ///< messages one after the other
  std::int64_t moved = 0;     ///< elements in messages one after the other
  std::int64_t reduced = 0;   ///< elements combined one after the other
  std::int64_t messages = 0;  ///< of all ranks together
  bool operator==(const Cost&) const = default;
};

/// Counts the schedules of all ranks.  Throws std::logic_error where they are not right (see verify).
Cost count(const Problem& problem, const std::function<Schedule(Context)>& schedule, int ports = 1);

/// What schedules ask of a network between nodes: of each what the node with the most of it has.
struct Traffic {
  std::int64_t hops = 0;      ///< messages on the longest path of which each waits for what the one before has brought
  std::int64_t messages = 0;  ///< that a node sends, or that it receives
  std::int64_t moved = 0;     ///< elements in them
  std::int64_t inside = 0;    ///< elements in messages that stay in a node
  bool operator==(const Traffic&) const = default;
};

/// Of nodes of `per_node` neighbouring ranks each.  `hops` is what a collective of nothing but latency takes, however
/// many messages a rank sends or receives at a time; `moved` what the network takes where a node has one full-duplex
/// link.  Throws as `count`.
Traffic traffic(const Problem& problem, const std::function<Schedule(Context)>& schedule, int per_node = 1);

}  // namespace tutti
