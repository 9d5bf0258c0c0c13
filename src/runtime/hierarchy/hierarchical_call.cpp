#include "runtime/hierarchy/hierarchical_call.hpp"

#include "algorithms/constraints.hpp"
#include "runtime/errors.hpp"
#include "runtime/wire/run_schedule.hpp"

namespace tutti::runtime {

HierarchicalCall::HierarchicalCall(const Operation& call, Hierarchy& hierarchy, const Choice& choice, Staging& staging)
    : call_(call),
      nodes_(hierarchy.nodes),
      between_(call, hierarchy, choice),
      formation_(between_.formation()),
      group_(*hierarchy.engine->group),
      arena_(hierarchy.engine->arena),
      frame_(staging.frame()),
      combiner_(staging.combiner()),
      rank_(nodes_.rank_of(hierarchy.node, hierarchy.member)),
      node_(hierarchy.node),
      me_(hierarchy.member),
      senders_(choice.senders),
      crew_(formation_.crew_of(node_, me_)),
      leader_(between_.leader(node_, crew_)),
      root_node_(nodes_.node_of(call.root)),
      root_member_(nodes_.member_of(call.root)),
      sizes_(irregular(call.collective) ? shm::Sizes::own : shm::Sizes::equal),
      overlap_(choice.overlap),
      direct_(choice.direct) {}

void HierarchicalCall::run() {
  switch (call_.collective) {
    case Collective::barrier:
      return barrier();
    case Collective::bcast:
      return bcast();
    case Collective::reduce:
      return reduce();
    case Collective::allreduce:
      return allreduce();
    case Collective::scan:
    case Collective::exscan:
      return scan();
    case Collective::gather:
    case Collective::gatherv:
      return gather();
    case Collective::scatter:
    case Collective::scatterv:
      return scatter();
    case Collective::allgather:
    case Collective::allgatherv:
      return allgather();
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return alltoall();
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return reduce_scatter();
  }
}

int execute_on_nodes(const Operation& call, Hierarchy& hierarchy, const Choice& choice) noexcept {
  try {
    const PrivateComm& all = hierarchy.messages;
    Arena& arena = hierarchy.engine->arena;
    arena.reset();
    Staging staging(call, arena, all.comm, all.me, all.size, all.instructions);
    HierarchicalCall(call, hierarchy, choice, staging).run();
    if (staging.combiner() && staging.combiner()->error() != MPI_SUCCESS)
      throw MpiError(staging.combiner()->error(), "MPI_Reduce_local");
    staging.finish();
    arena.reset();
    hierarchy.engine->progress_if_due();
    return MPI_SUCCESS;
  } catch (...) {
    hierarchy.engine->sound = false;
    put_aside_if_in_doubt(hierarchy.lane);
    put_aside_if_in_doubt(hierarchy.messages);
    return code_of_failure();
  }
}

}  // namespace tutti::runtime
