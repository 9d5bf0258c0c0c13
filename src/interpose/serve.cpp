#include "interpose/serve.hpp"

#include <exception>
#include <new>

#include "interpose/looks.hpp"
#include "mpi/active.hpp"
#include "mpi/errors.hpp"
#include "mpi/executor.hpp"
#include "mpi/explanation.hpp"
#include "mpi/online.hpp"
#include "mpi/pmpi.hpp"
#include "mpi/synchronising.hpp"

namespace tutti::interpose {

using mpi::Active;
using mpi::Mode;
using mpi::Operation;
using mpi::State;
using mpi::Tally;

namespace {

Outcome pass_as_native(State* told = nullptr) {
  mpi::last_choice = "native";
  return {.told = told};
}

/// Left to the MPI, for that reason.
Outcome leave(Collective which, mpi::Reason& why) {
  why.count(which);
  return pass_as_native();
}

/// Whether all ranks may be made to wait for one another in this call.
mpi::When when(const Operation& call, int ranks) {
  return mpi::synchronises(call, ranks) ? mpi::When::now : mpi::When::later;
}

/// Errors of our own messages and memory are raised where the user expects them.
Outcome raised(MPI_Comm comm, int code) {
  if (code != MPI_SUCCESS) mpi::pmpi.Comm_call_errhandler(comm, code);
  return {true, code};
}

/// After each call on the node engine.
Outcome done_on_node(State& state, const Operation& call, mpi::Engine& engine, int code) {
  Tally::add(state.tally(call.collective).node);
  if (code != MPI_SUCCESS) [[unlikely]]
    engine.sound = false;
  engine.poke_if_due();
  note_unmoved();
  return raised(state.comm, code);
}

Outcome on_node(State& state, const Operation& call, const Choice& choice) {
  Active& active = *state.active;
  mpi::Engine* const engine = active.engine ? active.engine.get() : mpi::engine_of(state, when(call, state.size));
  if (!engine) return leave(call.collective, *active.lacking);
  mpi::CallPlan* const kept = active.online ? nullptr : active.plans.room_to_keep(call);
  mpi::CallPlan& plan = kept ? *kept : active.plans.room_for_once();
  plan.bind(call, choice, *engine);
  const int code = plan.run(call, *engine);
  if (kept && code == MPI_SUCCESS) active.plans.keep();
  return done_on_node(state, call, *engine, code);
}

/// A call that is left to the MPI beside others on the node engine: what decide() finds out need not be found again.
void keep_native(Active& active, const Operation& call, const Choice& choice) {
  if (!active.engine || active.online) return;
  mpi::CallPlan* const plan = active.plans.room_to_keep(call);
  if (!plan) return;
  plan->bind(call, choice, *active.engine);
  active.plans.keep();
}

/// What decide() would find out anew is known.
Outcome repeat(State& state, const Operation& call, const mpi::CallPlan& known) {
  if (known.choice().kind == Choice::Kind::native) {
    mpi::note_native(known.choice());
    return leave(call.collective, state.active->reason_of(known.choice()));
  }
  Tally::add(state.tally(call.collective).eligible);
  mpi::last_choice = known.choice().text.c_str();
  mpi::Engine& engine = *state.active->engine;
  return done_on_node(state, call, engine, known.run(call, engine));
}

Outcome by_messages(State& state, const Operation& call, const Choice& choice, std::int64_t bytes) {
  mpi::Wire* const wire = mpi::wire_of(state, when(call, state.size));
  if (!wire) return leave(call.collective, *state.active->lacking);
  Tally::add(state.tally(call.collective).flat);
  return raised(state.comm, mpi::execute(call, *wire, *choice.algorithm, parameters_for(choice, bytes)));
}

Outcome on_nodes(State& state, const Operation& call, const Choice& choice) {
  const int lanes = choice.algorithm ? 0 : choice.senders;
  mpi::Hierarchy* const hierarchy = mpi::hierarchy_of(state, lanes, when(call, state.size));
  if (!hierarchy) return leave(call.collective, *state.active->lacking);
  Tally::add(state.tally(call.collective).hierarchy);
  return raised(state.comm, mpi::execute_on_nodes(call, *hierarchy, choice));
}

Outcome carry_out(State& state, const Operation& call, const Choice& choice, std::int64_t bytes) {
  switch (choice.kind) {
    case Choice::Kind::node:
      return on_node(state, call, choice);
    case Choice::Kind::flat:
      return by_messages(state, call, choice, bytes);
    case Choice::Kind::hierarchy:
      return on_nodes(state, call, choice);
    case Choice::Kind::native:
      break;
  }
  return pass_as_native();
}

/// Of a call that is tried: its time ends here, or when the MPI underneath has made it.
Outcome timed(State& state, Outcome outcome) {
  const Active& active = *state.active;
  if (!active.online || !active.online->timing()) [[likely]]
    return outcome;
  if (outcome.served)
    active.online->finish();
  else
    outcome.told = &state;
  return outcome;
}

/// An implausible argument makes this rank alone call the MPI underneath, which raises the error as it would have.
Outcome decide(State& state, const Operation& call) {
  Active& active = *state.active;
  if (const mpi::CallPlan* known = active.plans.find(call)) return repeat(state, call, *known);
  if (!mpi::plausible(call, state.size, state.rank)) return leave(call.collective, mpi::invalid_arguments());
  if (active.wanting && mpi::synchronises(call, state.size)) [[unlikely]]
    mpi::make_wanted(state);
  const Question question = mpi::question_of(call, state.size, state.rank);
  const Choice& choice = active.online ? active.online->choose(state, question) : active.selector->choose(question);
  if (active.explaining) [[unlikely]]
    mpi::explain_choice(state, question, choice);
  if (choice.kind == Choice::Kind::native) {
    mpi::note_native(choice);
    keep_native(active, call, choice);
    return timed(state, leave(call.collective, active.reason_of(choice)));
  }
  mpi::last_choice = choice.text.c_str();
  const Outcome outcome = carry_out(state, call, choice, question.bytes);
  // What is set up at a later call is no failure to serve this one.
  if (outcome.served || active.lacking != &mpi::not_set_up()) Tally::add(state.tally(call.collective).eligible);
  return timed(state, outcome);
}

/// Before the ranks have agreed: at which call they do, all must say alike, and no rank may be made to wait that would
/// not without tutti.  So a call counts once the MPI has made it (finish), and they agree where all wait for one
/// another anyway.
Outcome count(State& state, const Operation& call) {
  const bool early = state.seen + 1 < mpi::activation_call;
  if (state.rank < 0) mpi::require(mpi::pmpi.Comm_rank(state.comm, &state.rank), "PMPI_Comm_rank");
  if ((!early || mpi::handlers_hide_failures) && !mpi::plausible(call, state.size, state.rank))
    return leave(call.collective, mpi::invalid_arguments());
  if (!early && mpi::synchronises(call, state.size)) {
    mpi::activate(state);
    return state.mode == Mode::active ? decide(state, call) : pass_as_native();
  }
  leave(call.collective, early ? mpi::first_calls() : mpi::not_yet_synchronised());
  return pass_as_native(&state);
}

Outcome consider(State* state, const Operation& call) {
  if (!state) state = mpi::acquire_state(call.comm);
  if (!state) return pass_as_native();
  Tally::add(state->tally(call.collective).calls);
  if (state->mode == Mode::active && !state->passes(call.collective)) return decide(*state, call);
  return state->mode == Mode::counting ? count(*state, call) : pass_as_native();
}

/// Whether the MPI has made the call: not where an argument was found wrong on this rank, which makes it again.
bool made(int code) {
  if (code == MPI_SUCCESS) return true;
  int kind = MPI_ERR_UNKNOWN;
  if (mpi::pmpi.Error_class(code, &kind) != MPI_SUCCESS) return false;
  for (const int wrong : {MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_OP,
                          MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_GROUP})
    if (kind == wrong) return false;
  return true;
}

}  // namespace

/// The one door out of C++: what was thrown becomes an MPI error code.  An MpiError has been raised already by the
/// call of the MPI underneath that failed on the user's communicator.
Outcome attend(State* state, const Operation& call) noexcept {
  try {
    return consider(state, call);
  } catch (const mpi::MpiError& error) {
    return {true, error.code};
  } catch (const std::bad_alloc&) {
    return raised(call.comm, MPI_ERR_NO_MEM);
  } catch (const std::exception&) {
    return raised(call.comm, MPI_ERR_INTERN);
  }
}

void finish(State& state, int code) noexcept {
  if (state.mode == Mode::counting)
    state.seen += made(code);
  else if (state.active && state.active->online && state.active->online->timing())
    state.active->online->finish();
}

const char* start(const tutti_front& front) { return mpi::load_pmpi(front.mpi); }

}  // namespace tutti::interpose
