#include "simulation/fold.hpp"

#include <bit>

#include "simulation/ordering.hpp"

namespace tutti::simulation {
namespace {

constexpr std::size_t batch = 256;  // actions

bool alike(const Fold& fold, Rank by, const Action& one, const Action& other) {
  const bool same = one.kind == other.kind && one.rendezvous == other.rendezvous && one.within == other.within &&
                    one.set == other.set && one.open == other.open && one.bytes == other.bytes;
  const bool to_peer =
      one.kind == Action::Kind::send || one.kind == Action::Kind::post || one.kind == Action::Kind::receive;
  return same && (to_peer && one.peer >= 0 ? fold.moved(one.peer, by) == other.peer : one.peer == other.peer);
}

bool equal_everywhere(const Machine& machine) {
  return machine.network.topology == Topology::flat && machine.noise.duration == 0 && machine.noise.jitter == 0 &&
         (machine.slow_nodes.empty() || machine.slowdown == 1) && !machine.cyclic;
}

Ordering ordering_of(const Folding& folding, Rank rank) {
  const std::int64_t block = folding.blocks[static_cast<std::size_t>(rank % folding.lanes)];
  return {folding.schedule(rank), {rank, folding.ranks, folding.lanes, block}};
}

bool same_actions(const Machine& machine, const Folding& folding, const Fold& fold, Rank rank, Rank by) {
  Ordering one = ordering_of(folding, rank), other = ordering_of(folding, fold.moved(rank, by));
  std::vector<Action> mine, its;
  for (bool ended = false; !ended;) {
    mine.clear(), its.clear();
    ended = one.next(machine, mine, batch);
    if (other.next(machine, its, batch) != ended || mine.size() != its.size()) return false;
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (!alike(fold, by, mine[i], its[i])) return false;
  }
  return true;
}

}  // namespace

bool holds(const Machine& machine, const Folding& folding, const Fold& fold, Rank by) {
  for (Rank rank = 0; rank < fold.period; ++rank)
    if (!same_actions(machine, folding, fold, rank, by)) return false;
  return true;
}

Fold find_fold(const Machine& machine, const Folding& folding) {
  const int orbits = folding.ranks / folding.period;
  if (!equal_everywhere(machine) || orbits < 2) return Fold::nothing(folding.ranks);
  const int places[] = {1, 2, 3, orbits / 3, orbits / 2, orbits / 2 + 1, orbits - 2, orbits - 1};
  const bool powers = std::has_single_bit(static_cast<unsigned>(folding.ranks)) &&
                      std::has_single_bit(static_cast<unsigned>(folding.period));
  for (const Fold::Kind kind : {Fold::Kind::rotation, Fold::Kind::reflection}) {
    if (kind == Fold::Kind::reflection && !powers) continue;
    const Fold fold{kind, folding.ranks, folding.period};
    bool all = true;
    for (const int place : places)
      if (all && place >= 1 && place < orbits) all = holds(machine, folding, fold, place * folding.period);
    if (all) return fold;
  }
  return Fold::nothing(folding.ranks);
}

}  // namespace tutti::simulation
