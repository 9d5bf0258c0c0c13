#include "core/meaning.hpp"

namespace tutti {

int held_before(const Problem& problem, Rank me) {
  using enum Collective;
  const bool here = me == problem.root;
  switch (problem.collective) {
    case barrier:
    case exscan:
    case scatter:
    case scatterv:
      return -1;
    case bcast:
      return here ? 0 : -1;
    case reduce:
    case allreduce:
    case scan:
      return 0;
    case gather:
    case gatherv:
      return here ? me : -1;
    case allgather:
    case allgatherv:
    case alltoall:
    case alltoallv:
    case alltoallw:
    case reduce_scatter:
    case reduce_scatter_block:
      return me;
  }
  return -1;
}

std::optional<Outcome> held_after(const Problem& problem, Rank me, int owner) {
  using enum Collective;
  const Rank root = problem.root, all = problem.size;
  switch (problem.collective) {
    case barrier:
      return std::nullopt;
    case bcast:
      return Outcome{0, root, root + 1};
    case reduce:
      return me == root ? std::optional(Outcome{0, 0, all}) : std::nullopt;
    case allreduce:
      return Outcome{0, 0, all};
    case scan:
      return Outcome{0, 0, me + 1};
    case exscan:
      return Outcome{0, 0, me};
    case scatter:
    case scatterv:
      return Outcome{me, root, root + 1};
    case gather:
    case gatherv:
    case allgather:
    case allgatherv:
      return Outcome{owner, owner, owner + 1};
    case alltoall:
    case alltoallv:
    case alltoallw:
      return Outcome{me, owner, owner + 1};
    case reduce_scatter:
    case reduce_scatter_block:
      return Outcome{me, 0, all};
  }
  return std::nullopt;
}

}  // namespace tutti
