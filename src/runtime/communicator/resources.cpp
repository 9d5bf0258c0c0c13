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
#include "runtime/errors.hpp"
#include "runtime/platform/location.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/platform/quiet_errors.hpp"
#include "runtime/report/explanation.hpp"

namespace tutti::runtime {
namespace {

/// Communicators are finite (MPICH: 2048): most must be left to the program.
constexpr int most_wires = 256;
std::atomic<int> wires{0};

int tag_limit(MPI_Comm comm) {
  void* value = nullptr;
  int found = 0;
  return pmpi.Comm_get_attr(comm, MPI_TAG_UB, &value, &found) == MPI_SUCCESS && found ? *static_cast<int*>(value)
                                                                                      : 32767;
}

/// By a split, never a duplicate: that would run the user's attribute callbacks and, on some, inherit assertions.
bool make_wire(State& state, std::string& why) {
  Agreement ranks(state.comm, state.rank, state.size, "make a private communicator");
  if (!ranks.all(wires.load() < most_wires)) {
    why = "private communicators are used up";
    return false;
  }
  MPI_Comm made = MPI_COMM_NULL;
  {
    const QuietErrors quiet(state.comm);
    if (pmpi.Comm_split(state.comm, 0, state.rank, &made) != MPI_SUCCESS) made = MPI_COMM_NULL;
  }
  if (made != MPI_COMM_NULL) pmpi.Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  PrivateComm& wire = state.active->wire;
  wire.comm = made, wire.me = state.rank, wire.size = state.size, wire.instructions = state.active->instructions;
  if (made != MPI_COMM_NULL) ++wires;
  if (!ranks.all(made != MPI_COMM_NULL)) {
    why = "the MPI library has no communicator left";
    return false;
  }
  wire.tag_limit = tag_limit(made);
  wire.window = std::clamp(state.active->agreed.settings.window, 1, 64);
  if (state.active->placement.most_per_node > cpus_of_node()) wire.polls = 4;
  return true;
}

/// Mostly inside the delete callback of the user's communicator: ranks free communicators in one order, and so these.
/// (In all MPIs known to us a free waits for nobody; PETSc frees its inner communicators in the same place.)  Not once
/// MPI_Finalize has begun.
void free_wire(PrivateComm& wire) {
  if (wire.comm == MPI_COMM_NULL) return;
  if (!finalizing()) pmpi.Comm_free(&wire.comm);
  wire.comm = MPI_COMM_NULL;
  --wires;
}

}  // namespace

Active::~Active() {
  if (!finalizing()) put_idle(std::move(engine));
  hierarchy.reset();
  free_wire(wire);
}

namespace {

/// Kept plans and bypassed collectives do not check whether a resource is wanted: until it is made, both are off.
void want(State& state) {
  Active& active = *state.active;
  active.wanting = true, active.lacking = &not_set_up();
  active.plans = {};
  state.settle_passing();
  state.passing = 0;
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
    const bool made = make_wire(state, why);
    if (!made) free_wire(active.wire);
    return made;
  });
  return active.private_comm_state == Asset::ready ? &active.wire : nullptr;
}

Hierarchy* hierarchy_of(State& state, int lanes, When when) {
  Active& active = *state.active;
  provide(state, active.hierarchy_state, when, "no node engines on ", [&](std::string& why) {
    why = "no messages of our own";
    PrivateComm* const messages = private_comm_of(state);
    if (messages) why.clear(), active.hierarchy = make_hierarchy(state, *messages, why);
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

Reason& Active::reason_of(const Choice& choice) {
  auto& [known, counted] = reasons_[reinterpret_cast<std::uintptr_t>(&choice) / sizeof(Choice) % reasons_.size()];
  if (known != &choice) known = &choice, counted = &reason(choice.reason);
  return *counted;
}

}  // namespace tutti::runtime
