/// The resources of an active communicator: its node engine and its private communicator.  Made by all its ranks at one
/// call, each step with an agreement, so that all ranks have it or none: at the first call whose choice needs it (the
/// choice is the same on all) if that call synchronises all ranks, else at the next such call.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "runtime/communicator/active.hpp"
#include "runtime/communicator/agreement.hpp"
#include "runtime/communicator/make_private_comm.hpp"
#include "runtime/report/explanation.hpp"

namespace tutti::runtime {

Active::~Active() {
  if (!finalizing()) put_idle(std::move(engine));
  hierarchy.reset();
  free_private_comm(wire);
}

namespace {

/// What would reach no check of whether anything is to be made.
void drop_shortcuts(State& state) {
  state.active->plans = {};
  state.settle_passing();
  state.passing = 0;
}

/// Kept plans and bypassed collectives do not check whether a resource is wanted: until it is made, both are off.
void want(State& state) {
  Active& active = *state.active;
  active.wanting = true, active.lacking = &not_set_up();
  drop_shortcuts(state);
}

/// Makes an asset if it is not there and may be made now.  `make` fills in why it could not.
template <class Make>
void provide(State& state, Asset& asset, When when, const char* what, Make&& make) {
  Active& active = *state.active;
  if (asset == Asset::ready || asset == Asset::refused) return;
  if (when == When::later) {
    asset = Asset::wanted;
    return want(state);
  }
  asset = Asset::refused, active.lacking = &reason("what serves it could not be set up");  // where `make` throws
  std::string why;
  if (make(why)) {
    asset = Asset::ready;
    return;
  }
  active.lacking = &reason(why);
  explain_refusal(state, what + name_of(state.comm), why);
}

}  // namespace

Engine* engine_of(State& state, When when) {
  Active& active = *state.active;
  provide(state, active.engine_state, when, "no node engine on ", [&](std::string& why) {
    why = "its ranks are on several nodes";
    if (active.placement.nodes != 1) return false;
    why.clear();
    active.engine = make_engine({state.comm, state.rank, state.size, active.agreed.settings}, why);
    if (active.engine) active.engine->instructions = active.instructions;
    return active.engine != nullptr;
  });
  return active.engine.get();
}

PrivateComm* private_comm_of(State& state, When when) {
  Active& active = *state.active;
  provide(state, active.private_comm_state, when, "no messages of our own on ", [&](std::string& why) {
    const bool made = make_private_comm({state.comm, state.rank, state.size, active.agreed.settings},
                                        {active.instructions, active.placement.most_per_node}, active.wire, why);
    if (!made) free_private_comm(active.wire);
    return made;
  });
  return active.private_comm_state == Asset::ready ? &active.wire : nullptr;
}

Hierarchy* hierarchy_of(State& state, int lanes, When when) {
  Active& active = *state.active;
  provide(state, active.hierarchy_state, when, "no node engines on ", [&](std::string& why) {
    why = "no messages of our own";
    PrivateComm* const messages = private_comm_of(state);
    const Mates all{state.comm, state.rank, state.size, active.agreed.settings};
    if (messages) why.clear(), active.hierarchy = make_hierarchy(all, *messages, why);
    return active.hierarchy != nullptr;
  });
  if (lanes == 0 || !active.hierarchy || active.hierarchy->has_lanes(lanes)) return active.hierarchy.get();
  if (when == When::later) {
    active.lanes_wanted.insert(lanes);
    return want(state), nullptr;
  }
  active.hierarchy->lane_communicator(active.wire.comm, lanes);
  return active.hierarchy.get();
}

void make_wanted(State& state) {
  Active& active = *state.active;
  active.wanting = false;
  if (active.engine_state == Asset::wanted) engine_of(state);
  if (active.private_comm_state == Asset::wanted) private_comm_of(state);
  if (active.hierarchy_state == Asset::wanted) hierarchy_of(state, 0);
  for (const int senders : std::exchange(active.lanes_wanted, {})) hierarchy_of(state, senders);
  find_passing(state);
}

void await_meeting(State& state) {
  state.meets = true;
  if (state.mode == Mode::active) drop_shortcuts(state);
}

void end_meetings(State& state) {
  state.meets = false;
  if (state.mode == Mode::active && !state.active->wanting) find_passing(state);
}

Reason& Active::reason_of(const Choice& choice) {
  auto& [known, counted] = reasons_[reinterpret_cast<std::uintptr_t>(&choice) / sizeof(Choice) % reasons_.size()];
  if (known != &choice) known = &choice, counted = &reason(choice.reason);
  return *counted;
}

}  // namespace tutti::runtime
