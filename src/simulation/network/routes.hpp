#pragma once
/// Links that a message passes between two nodes' network cards, by topology.
#include <cstdint>
#include <vector>

#include "simulation/machine.hpp"

namespace tutti::simulation {

/// A link by number, and by how much it is faster than a network card.
struct Hop {
  std::int64_t link = 0;
  double speed = 1;
};

class Routes {
 public:
  Routes(const Network& network, int nodes);
  /// The links from one node to another, in order; cleared first.  Returns the switches passed.
  int between(int from, int to, std::vector<Hop>& hops) const;
  /// Numbers of links are less.
  std::int64_t links() const;

 private:
  int groups() const { return (nodes_ + network_.leaf - 1) / network_.leaf; }
  int through_torus(int from, int to, std::vector<Hop>& hops) const;

  Network network_;
  int nodes_;
};

}  // namespace tutti::simulation
