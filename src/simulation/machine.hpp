#pragma once
/// The machine that is simulated: parameters of LogGOPS, nodes, network cards, the network between them.
///
/// LogGOPS (Alexandrov et al. 1995; Hoefler, Schneider, Lumsdaine 2010), of a message of s bytes: the sender's
/// processor is busy for o + s O.  The network card sends for s G, and begins no other message before g + s G have
/// passed.  The wire takes L.  The receiver's processor is busy for o + s O.  From S bytes on the data leaves when the
/// receive is posted, and an answer (o + L) has come.
#include <cstdint>
#include <string>
#include <vector>

#include "core/block.hpp"

namespace tutti::simulation {

/// Seconds, and seconds a byte.
struct LogGops {
  double latency = 0;                   ///< L
  double send = 0, receive = 0;         ///< o of either side
  double gap = 0;                       ///< g
  double per_byte = 0;                  ///< G
  double overhead_per_byte = 0;         ///< O
  std::int64_t rendezvous = INT64_MAX;  ///< S
};

enum class Topology : std::uint8_t { flat, fat_tree, dragonfly, torus };

/// Between nodes.  A link carries one byte in the G of the machine, divided by `speed` where that says so.
struct Network {
  Topology topology = Topology::flat;
  double hop = 0;  ///< seconds that each switch adds to L beyond the first
  /// fat_tree: nodes of a leaf switch, and by how much its links upward are fewer than its nodes.
  /// dragonfly: nodes of a group, and by how much its links to the other groups are fewer than its nodes.
  int leaf = 0;
  double taper = 1;
  std::vector<int> sides;  ///< torus: nodes along each dimension
};

struct Noise {
  double period = 0, duration = 0;  ///< the processor is away for `duration` once a period, each rank at another time
  double jitter = 0;                ///< mean of an exponentially distributed addition to L, as a share of it
  std::uint64_t seed = 1;
};

struct Machine {
  int nodes = 1, per_node = 1;
  bool cyclic = false;  ///< rank r is on node r mod nodes; else consecutive ranks share a node
  int cards = 1;        ///< network cards of a node, which its ranks share
  LogGops between, within;
  double reduce_per_byte = 0, copy_per_byte = 0;
  double memory_per_byte = 0;  ///< of all ranks of a node together, in phases inside it
  Network network;
  Noise noise;
  std::vector<int> slow_nodes;
  double slowdown = 1;  ///< their processors and cards take so many times as long

  int ranks() const { return nodes * per_node; }
  int node_of(Rank rank) const { return cyclic ? rank % nodes : rank / per_node; }
  int place_of(Rank rank) const { return cyclic ? rank / nodes : rank % per_node; }
};

/// Throws std::invalid_argument with a sentence that names the field that cannot be.
void check(const Machine& machine);

}  // namespace tutti::simulation
