#include "runtime/hierarchy/inter_node_phase.hpp"

#include <utility>

#include "runtime/communicator/synchronising.hpp"
#include "runtime/datatype/operators.hpp"
#include "runtime/wire/flat_call.hpp"
#include "runtime/wire/run_schedule.hpp"
#include "runtime/wire/workspace.hpp"
#include "selection/stand_ins.hpp"

namespace tutti::runtime {
namespace {

/// Of the choice.  A scan between nodes is exclusive; most algorithms for scan stand in both lists, by one name.
const Algorithm* algorithm_for(Collective which, const Algorithm* chosen) {
  if (which == chosen->collective) return chosen;
  const Algorithm* const same = find_algorithm(which, chosen->name);
  return same ? same : &stand_in(which);
}

}  // namespace

InterNodePhase::InterNodePhase(const Operation& call, Hierarchy& hierarchy, const Choice& choice)
    : call_(call),
      hierarchy_(hierarchy),
      choice_(choice),
      formation_(hierarchy.formation(choice.senders)),
      root_leads_(choice.algorithm != nullptr && rooted(call.collective)),
      crew_(formation_.crew_of(hierarchy.node, hierarchy.member)),
      tag_(next_tag(hierarchy.messages, synchronises(call, hierarchy.messages.size))) {
  const PrivateComm& all = hierarchy.messages;
  if (!choice.algorithm) lane_ = {hierarchy.lane_communicator(all.comm, choice.senders), all.suspend};
  const Rank root = root_leads_ ? call.root : Hierarchy::no_root;
  hierarchy.lead_lane({choice.senders, crew_, root}, [this](int node) { return leader(node, crew_); });
}

int InterNodePhase::leader(int node, int crew) const {
  const Nodes& nodes = hierarchy_.nodes;
  if (root_leads_ && node == nodes.node_of(call_.root)) {
    const int root = nodes.member_of(call_.root);
    if (formation_.crew_of(node, root) == crew) return root;
  }
  return formation_.first_member(node, crew);
}

void InterNodePhase::run(Collective which, const Frame& frame, int root_node, Combiner* combiner) {
  if (choice_.algorithm || !fits_natively(call_, frame, lane_, hierarchy_.nodes.ranks()))
    by_messages(which, frame, root_node, combiner);
  else
    run_natively(which, call_, lane_, frame, root_node);
}

void InterNodePhase::run_among_ranks(const Frame& frame, Schedule schedule) {
  run_schedule(hierarchy_.messages, frame, std::move(schedule), tag_);
}

void InterNodePhase::by_messages(Collective which, const Frame& frame, int root_node, Combiner* combiner) {
  PrivateComm& lane = hierarchy_.lane;
  // All leaders make as many blocks: with a user's operator the number of elements is common (call_signature.cpp).
  const bool users = combiner && !call_.reducer && !predefined(call_.op);
  const std::int64_t unit = users ? nominal_element : frame.unit;
  const std::int64_t bytes = frame.layouts.output.owners() == 1 ? frame.layouts.output.size(0) * unit : -1;
  const Algorithm* const algorithm = choice_.algorithm ? algorithm_for(which, choice_.algorithm) : &stand_in(which);
  run_schedule(lane, frame, combiner, {*algorithm, root_node, hierarchy_.parameters(choice_, bytes)}, tag_);
  lane.workspace->arena.reset();
}

}  // namespace tutti::runtime
