#include "models/bounds.hpp"

#include <algorithm>

namespace tutti {
namespace {

using Elements = std::int64_t;

constexpr Elements up(Elements value, Elements by) { return (value + by - 1) / by; }

/// Rounds until all p ranks can have heard of one, or one of all.
int spreading(int ranks, int ports) {
  int rounds = 0;
  for (std::int64_t reached = 1; reached < ranks; reached *= ports + 1) ++rounds;
  return rounds;
}

/// What each rank exchanges with others, in a call whose blocks go from one rank to one rank.
struct Traffic {
  Elements busiest = 0;  ///< of any rank, in or out
  int partners = 0;      ///< of any rank, in or out

  void add(Elements elements, int with) {
    busiest = std::max(busiest, elements);
    partners = std::max(partners, with);
  }
};

Traffic traffic(const Problem& problem) {
  Traffic all;
  for (Rank me = 0; me < problem.size; ++me) {
    Elements sent = 0, received = 0;
    int to = 0, from = 0;
    for (Rank other = 0; other < problem.size; ++other) {
      if (other == me) continue;
      const Elements leaving = problem.input_elements(me, other), arriving = problem.output_elements(me, other);
      sent += leaving, received += arriving;
      to += leaving > 0, from += arriving > 0;
    }
    all.add(sent, to);
    all.add(received, from);
  }
  return all;
}

/// The blocks of all owners.
struct Blocked {
  Elements total = 0, least = 0;

  explicit Blocked(const Problem& problem) : least(problem.output_elements(0, 0)) {
    for (int owner = 0; owner < problem.size; ++owner) {
      total += problem.output_elements(0, owner);
      least = std::min(least, problem.output_elements(0, owner));
    }
  }
};

Elements moved(const Problem& problem) {
  const Collective which = problem.collective;
  const Elements p = problem.size, vector = problem.counts[0];
  if (which == Collective::barrier) return 0;
  if (all_to_all(which)) return traffic(problem).busiest;
  if (one_vector(which)) return which == Collective::allreduce ? up(2 * (p - 1) * vector, p) : vector;
  const Blocked blocks(problem);
  return blocks.total - (rooted(which) ? problem.output_elements(0, problem.root) : blocks.least);
}

Elements reduced(const Problem& problem) {
  if (!reduces(problem.collective)) return 0;
  const Elements p = problem.size;
  const Elements elements = one_vector(problem.collective) ? problem.counts[0] : Blocked(problem).total;
  return up((problem.collective == Collective::exscan ? p - 2 : p - 1) * elements, p);
}

}  // namespace

Cost lower_bound(const Problem& problem, int ports) {
  if (problem.size == 1) return {};
  const bool straight = all_to_all(problem.collective) && irregular(problem.collective);
  const Elements rounds = straight ? up(traffic(problem).partners, ports) : spreading(problem.size, ports);
  return {rounds, up(moved(problem), ports), reduced(problem), 0};
}

}  // namespace tutti
