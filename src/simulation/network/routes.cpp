#include "simulation/network/routes.hpp"

namespace tutti::simulation {

Routes::Routes(const Network& network, int nodes) : network_(network), nodes_(nodes) {}

std::int64_t Routes::links() const {
  switch (network_.topology) {
    case Topology::flat:
      return 0;
    case Topology::fat_tree:
      return 2 * std::int64_t{groups()};  // up and down of each leaf switch
    case Topology::dragonfly:
      return std::int64_t{groups()} * groups();  // from each group to each other
    case Topology::torus:
      return 2 * static_cast<std::int64_t>(network_.sides.size()) * nodes_;
  }
  return 0;
}

/// A leaf's links upward are taken as one that is as fast as all of them, which good routing comes close to; so are the
/// links from one group to another.
int Routes::between(int from, int to, std::vector<Hop>& hops) const {
  hops.clear();
  if (network_.topology == Topology::flat) return 1;
  if (network_.topology == Topology::torus) return through_torus(from, to, hops);
  const int source = from / network_.leaf, destination = to / network_.leaf;
  if (source == destination) return 1;
  const double all = network_.leaf / network_.taper;
  if (network_.topology == Topology::fat_tree) {
    hops.push_back({2 * std::int64_t{source}, all});
    hops.push_back({2 * std::int64_t{destination} + 1, all});
    return 3;
  }
  hops.push_back({std::int64_t{source} * groups() + destination, all / (groups() - 1)});
  return 2;
}

/// Along one dimension after the other, the shorter way round.
int Routes::through_torus(int from, int to, std::vector<Hop>& hops) const {
  int stride = 1, here = from;
  for (std::size_t dimension = 0; dimension < network_.sides.size(); ++dimension) {
    const int side = network_.sides[dimension];
    const int at = from / stride % side, wanted = to / stride % side;
    const int ahead = (wanted - at + side) % side;
    const bool up = ahead <= side - ahead;
    for (int left = up ? ahead : side - ahead; left > 0; --left) {
      hops.push_back({(static_cast<std::int64_t>(dimension) * 2 + !up) * nodes_ + here, 1});
      const int place = here / stride % side, next = (place + (up ? 1 : side - 1)) % side;
      here += (next - place) * stride;
    }
    stride *= side;
  }
  return static_cast<int>(hops.size());
}

}  // namespace tutti::simulation
