/// What an active communicator needs to be served: its node engine and its wire.  Made by all its ranks at the first
/// call whose choice needs it (the choice is the same on all), each step with an agreement, so that all ranks have it
/// or none.
#include <algorithm>
#include <atomic>
#include <string>

#include "mpi/active.hpp"
#include "mpi/agreement.hpp"
#include "mpi/errors.hpp"
#include "mpi/explanation.hpp"
#include "mpi/pmpi.hpp"
#include "mpi/quiet.hpp"
#include "mpi/where.hpp"

namespace tutti::mpi {
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
  Wire& wire = state.active->wire;
  wire.comm = made, wire.me = state.rank, wire.size = state.size, wire.instructions = state.active->instructions;
  if (made != MPI_COMM_NULL) ++wires;
  if (!ranks.all(made != MPI_COMM_NULL)) {
    why = "the MPI library has no communicator left";
    return false;
  }
  wire.tag_limit = tag_limit(made);
  wire.window = std::clamp(state.active->adopted.settings.window, 1, 64);
  if (state.active->placement.most_per_node > cpus_of_node()) wire.polls = 4;
  return true;
}

/// Mostly inside the delete callback of the user's communicator, which is where the user's ranks are in step: they free
/// communicators in one order, and so these.  (In all MPIs known to us a free waits for nobody; PETSc frees its inner
/// communicators in the same place.)  Not once MPI_Finalize has begun.
void free_wire(Wire& wire) {
  if (wire.comm == MPI_COMM_NULL) return;
  if (!states_retired()) pmpi.Comm_free(&wire.comm);
  wire.comm = MPI_COMM_NULL;
  --wires;
}

}  // namespace

Active::~Active() {
  if (!states_retired()) put_idle(std::move(engine));
  hierarchy.reset();
  free_wire(wire);
}

Engine* engine_of(State& state) {
  Active& active = *state.active;
  if (active.engine_state == Asset::unmade) {
    active.engine_state = Asset::refused;  // also where what follows throws
    std::string why = "its ranks are on several nodes";
    if (active.placement.nodes == 1)
      why.clear(), active.engine = make_engine({state.comm, state.rank, state.size, active.adopted.settings}, why);
    if (active.engine)
      active.engine->instructions = active.instructions, active.engine_state = Asset::ready;
    else
      explain_refusal(state, "no node engine on " + name_of(state.comm), why);
  }
  return active.engine.get();
}

Wire* wire_of(State& state) {
  Active& active = *state.active;
  if (active.wire_state == Asset::unmade) {
    active.wire_state = Asset::refused;
    std::string why;
    if (make_wire(state, why))
      active.wire_state = Asset::ready;
    else
      free_wire(active.wire), explain_refusal(state, "no messages of our own on " + name_of(state.comm), why);
  }
  return active.wire_state == Asset::ready ? &active.wire : nullptr;
}

Hierarchy* hierarchy_of(State& state) {
  Active& active = *state.active;
  if (active.hierarchy_state == Asset::unmade) {
    active.hierarchy_state = Asset::refused;  // also where what follows throws
    std::string why = "no messages of our own";
    if (Wire* const messages = wire_of(state)) why.clear(), active.hierarchy = make_hierarchy(state, *messages, why);
    if (active.hierarchy)
      active.hierarchy_state = Asset::ready;
    else
      explain_refusal(state, "no node engines on " + name_of(state.comm), why);
  }
  return active.hierarchy.get();
}

}  // namespace tutti::mpi
