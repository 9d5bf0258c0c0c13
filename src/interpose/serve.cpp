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

namespace tutti::interpose {

using mpi::Active;
using mpi::Mode;
using mpi::Operation;
using mpi::State;
using mpi::Tally;

namespace {

constexpr Outcome pass{};

Outcome pass_as_native() {
  mpi::last_choice = "native";
  return pass;
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
  mpi::Engine* const engine = mpi::engine_of(state);
  if (!engine) return pass_as_native();
  const int code = mpi::execute_on_node(call, *engine, {choice.single_copy, choice.by_clock});
  Active& active = *state.active;
  if (code == MPI_SUCCESS && !active.online) active.repetitions.offer(call, choice, *engine);
  return done_on_node(state, call, *engine, code);
}

/// What decide() would find out anew is known.
Outcome repeat(State& state, const Operation& call, const mpi::Repetition& known) {
  if (known.choice().kind == Choice::Kind::native) {
    mpi::note_native(known.choice());
    return pass_as_native();
  }
  Tally::add(state.tally(call.collective).eligible);
  mpi::last_choice = known.choice().text.c_str();
  mpi::Engine& engine = *state.active->engine;
  return done_on_node(state, call, engine, known.carry_out(call, engine));
}

Outcome by_messages(State& state, const Operation& call, const Choice& choice, std::int64_t bytes) {
  mpi::Wire* const wire = mpi::wire_of(state);
  if (!wire) return pass_as_native();
  Tally::add(state.tally(call.collective).flat);
  return raised(state.comm, mpi::execute(call, *wire, *choice.algorithm, parameters_for(choice, bytes)));
}

Outcome on_nodes(State& state, const Operation& call, const Choice& choice) {
  mpi::Hierarchy* const hierarchy = mpi::hierarchy_of(state);
  if (!hierarchy) return pass_as_native();
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
Outcome timed(const Active& active, Outcome outcome) {
  if (!active.online || !active.online->timing()) [[likely]]
    return outcome;
  if (outcome.served)
    active.online->finish();
  else
    outcome.timed = active.online.get();
  return outcome;
}

/// An implausible argument makes this rank alone call the MPI underneath, which raises the error as it would have.
Outcome decide(State& state, const Operation& call) {
  Active& active = *state.active;
  if (const mpi::Repetition* known = active.repetitions.find(call)) return repeat(state, call, *known);
  if (!mpi::plausible(call, state.size, state.rank)) return pass_as_native();
  const Question question = mpi::question_of(call, state.size, state.rank);
  const Choice& choice = active.online ? active.online->choose(state, question) : active.selector->choose(question);
  if (active.explaining) [[unlikely]]
    mpi::explain_choice(state, question, choice);
  if (choice.kind == Choice::Kind::native) {
    mpi::note_native(choice);
    if (active.engine && !active.online) active.repetitions.offer(call, choice, *active.engine);
    return timed(active, pass_as_native());
  }
  Tally::add(state.tally(call.collective).eligible);
  mpi::last_choice = choice.text.c_str();
  return timed(active, carry_out(state, call, choice, question.bytes));
}

/// Counts before any decision, on all ranks alike: also calls that are passed through, also those with wrong arguments.
Outcome consider(State* state, const Operation& call) {
  if (!state) state = mpi::acquire_state(call.comm);
  if (!state) return pass_as_native();
  Tally::add(state->tally(call.collective).calls);
  if (state->mode == Mode::counting && ++state->seen == mpi::activation_call) mpi::activate(*state);
  return state->mode == Mode::active ? decide(*state, call) : pass_as_native();
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

void finish(mpi::Online& timed) noexcept { timed.finish(); }

const char* start(const tutti_front& front) { return mpi::load_pmpi(front.mpi); }

}  // namespace tutti::interpose
