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
  using enum Collective;
  const Elements p = problem.size, vector = problem.counts[0];
  switch (problem.collective) {
    case barrier:
      return 0;
    case bcast:
    case reduce:
    case scan:
    case exscan:
      return vector;
    case allreduce:
      return up(2 * (p - 1) * vector, p);
    case gather:
    case gatherv:
    case scatter:
    case scatterv:
      return Blocked(problem).total - problem.output_elements(0, problem.root);
    case allgather:
    case allgatherv:
    case reduce_scatter:
    case reduce_scatter_block:
      return Blocked(problem).total - Blocked(problem).least;
    case alltoall:
    case alltoallv:
    case alltoallw:
      return traffic(problem).busiest;
  }
  return 0;
}

Elements reduced(const Problem& problem) {
  using enum Collective;
  if (!reduces(problem.collective)) return 0;
  const Elements p = problem.size;
  const Elements elements = one_vector(problem.collective) ? problem.counts[0] : Blocked(problem).total;
  return up((problem.collective == exscan ? p - 2 : p - 1) * elements, p);
}

}  // namespace

Cost lower_bound(const Problem& problem, int ports) {
  if (problem.size == 1) return {};
  const bool straight = problem.collective == Collective::alltoallv || problem.collective == Collective::alltoallw;
  const Elements rounds = straight ? up(traffic(problem).partners, ports) : spreading(problem.size, ports);
  return {rounds, up(moved(problem), ports), reduced(problem), 0};
}

}  // namespace tutti
