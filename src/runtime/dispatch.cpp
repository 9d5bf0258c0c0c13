#include "runtime/dispatch.hpp"

#include <exception>
#include <new>

#include "runtime/communicator/active.hpp"
#include "runtime/communicator/synchronising.hpp"
#include "runtime/errors.hpp"
#include "runtime/plan/node_variant.hpp"
#include "runtime/plan/online.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/report/explanation.hpp"
#include "runtime/wire/flat_call.hpp"
#include "runtime/wire/mpi_progress.hpp"

namespace tutti::runtime {

namespace {

Outcome pass_as_native(State* told = nullptr) {
  last_choice = "native";
  return {.told = told};
}

/// Left to the MPI, for that reason.
Outcome leave(Collective which, Reason& why) {
  why.count(which);
  return pass_as_native();
}

/// Whether this call may synchronise all ranks.
When when(const Operation& call, int ranks) { return synchronises(call, ranks) ? When::now : When::later; }

/// Errors of our own messages and memory are raised where the user expects them.
Outcome raised(MPI_Comm comm, int code) {
  if (code != MPI_SUCCESS) pmpi.Comm_call_errhandler(comm, code);
  return {true, code};
}

/// The communicator's resources for running calls.
Venue venue_of(Active& active) {
  const bool messages = active.private_comm_state == Asset::ready;
  return {active.engine.get(), messages ? &active.wire : nullptr, active.hierarchy.get()};
}

/// Whether the resources of the choice exist, or can be made in this call.
bool provided(State& state, const Operation& call, const Choice& choice) {
  Active& active = *state.active;
  switch (choice.kind) {
    [[likely]] case Choice::Kind::node : return active.engine || engine_of(state, when(call, state.size));
    case Choice::Kind::flat:
      return private_comm_of(state, when(call, state.size)) != nullptr;
    case Choice::Kind::hierarchy:
      return hierarchy_of(state, choice.algorithm ? 0 : choice.senders, when(call, state.size)) != nullptr;
    case Choice::Kind::native:
      break;
  }
  return false;
}

/// After a call on the node engine.
void conclude(Engine& engine, int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    engine.sound = false;
  engine.progress_if_due();
  maybe_unmoved.store(true, std::memory_order_relaxed);
}

/// Runs the plan of a call, the first of its kind or the thousandth.
Outcome run(State& state, const Operation& call, const CallPlan& plan) {
  Active& active = *state.active;
  Tally& tally = state.tally(call.collective);
  Tally::add(tally.eligible);
  const int code = plan.run(call, venue_of(active));
  if (plan.choice().kind == Choice::Kind::node) [[likely]] {
    Tally::add(tally.node);
    conclude(*active.engine, code);
  } else {
    Tally::add(plan.choice().kind == Choice::Kind::flat ? tally.flat : tally.hierarchy);
  }
  return raised(state.comm, code);
}

/// A plan of the call, and its place in the cache, if it gets one.
struct Bound {
  const CallPlan& plan;
  bool is_kept;
};

Bound bind(State& state, const Operation& call, const Choice& choice, std::int64_t bytes, Contest* contest = nullptr) {
  Active& active = *state.active;
  CallPlan* const kept = active.online || state.meets ? nullptr : active.plans.room_to_keep(call);
  CallPlan& plan = kept ? *kept : active.plans.room_for_once();
  const shm::ShmGroup* const group =
      choice.kind == Choice::Kind::node && active.engine ? active.engine->group.get() : nullptr;
  plan.bind(call, choice, bytes, {state.rank, state.size, active.instructions, group});
  plan.take_part(contest);
  return {plan, kept != nullptr};
}

/// With the variant, where the node engine is there.
void explain(State& state, const Operation& call, const CallSignature& signature, const Choice& choice) {
  const Engine* const engine = choice.kind == Choice::Kind::node ? state.active->engine.get() : nullptr;
  explain_choice(state, signature, choice, engine != nullptr ? variant_text(call, choice, *engine->group) : "");
}

/// A plan whose calls may be in a contest: the MPI underneath makes this one, or the plan does.
Outcome run_or_leave(State& state, const Operation& call, const CallPlan& plan) {
  Contest* const contest = plan.contest();
  if (contest == nullptr) [[likely]]
    return run(state, call, plan);
  Contests& contests = state.active->contests;
  if (contests.next(state, *contest) == Contest::Side::native) {
    Outcome outcome = leave(call.collective, native_by_clock());
    if (contests.timing()) outcome.told = &state;
    return outcome;
  }
  const Outcome outcome = run(state, call, plan);
  contests.finish();
  return outcome;
}

Outcome carry_out(State& state, const Operation& call, const Choice& choice, const CallSignature& signature) {
  const bool there = provided(state, call, choice);
  if (state.active->explaining) [[unlikely]]
    explain(state, call, signature, choice);
  if (!there) {
    // Resources that are made at a later call are no failure to serve this one.
    if (state.active->lacking != &not_set_up()) Tally::add(state.tally(call.collective).eligible);
    return leave(call.collective, *state.active->lacking);
  }
  Contest* const contest = state.active->contests.of(state, call, signature, choice);
  const Bound bound = bind(state, call, choice, signature.bytes, contest);
  const Outcome outcome = run_or_leave(state, call, bound.plan);
  if (bound.is_kept && outcome.code == MPI_SUCCESS) state.active->plans.keep();
  return outcome;
}

/// Keeps the decision about a call that is left to the MPI.
void keep_native(State& state, const Operation& call, const Choice& choice) {
  if (!state.active->online && bind(state, call, choice, 0).is_kept) state.active->plans.keep();
}

/// The call matches a kept plan.
Outcome repeat(State& state, const Operation& call, const CallPlan& known) {
  if (known.choice().kind == Choice::Kind::native) {
    note_native(known.choice());
    return leave(call.collective, state.active->reason_of(known.choice()));
  }
  last_choice = known.choice().text.c_str();
  return run_or_leave(state, call, known);
}

/// A call under online tuning: its time ends here, or when the MPI underneath has made it.
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

/// This rank alone calls the MPI underneath, which raises the error as it would have.
Outcome leave_wrong(State& state, const Operation& call) {
  ++state.uncounted;
  return leave(call.collective, invalid_arguments());
}

Outcome decide(State& state, const Operation& call) {
  Active& active = *state.active;
  if (const CallPlan* known = active.plans.find(call)) return repeat(state, call, *known);
  if (!valid_arguments(call, state.size, state.rank)) return leave_wrong(state, call);
  if ((active.wanting || state.meets) && synchronises(call, state.size)) [[unlikely]] {
    if (active.wanting) make_wanted(state);
    if (state.meets) state.venue->meet();
  }
  const CallSignature signature = signature_of(call, state.size, state.rank);
  const Choice& choice = active.online ? active.online->choose(state, signature) : active.selector->choose(signature);
  if (choice.kind == Choice::Kind::native) {
    if (active.explaining) [[unlikely]]
      explain(state, call, signature, choice);
    note_native(choice);
    keep_native(state, call, choice);
    return timed(state, leave(call.collective, active.reason_of(choice)));
  }
  last_choice = choice.text.c_str();
  return timed(state, carry_out(state, call, choice, signature));
}

/// Before the ranks have agreed.  All ranks must agree at the same call, and no rank may wait that would not wait
/// without tutti.  So a call counts once the MPI has made it (finish), and ranks agree at a call that synchronises
/// anyway.
Outcome count(State& state, const Operation& call) {
  const bool early = state.seen + 1 < activation_call;
  if (state.rank < 0) require(pmpi.Comm_rank(state.comm, &state.rank), "PMPI_Comm_rank");
  if ((!early || handlers_hide_failures) && !valid_arguments(call, state.size, state.rank))
    return leave_wrong(state, call);
  if (!early && synchronises(call, state.size)) {
    activate(state);
    return state.mode == Mode::active ? decide(state, call) : pass_as_native();
  }
  if (state.meets && synchronises(call, state.size)) state.venue->meet();
  leave(call.collective, early ? first_calls() : not_yet_synchronised());
  return pass_as_native(&state);
}

Outcome consider(State* state, const Operation& call) {
  if (!state) state = acquire_state(call.comm);
  if (!state) return pass_as_native();
  Tally::add(state->tally(call.collective).calls);
  if (state->mode == Mode::counting) return count(*state, call);
  if (state->mode == Mode::active && !state->passes(call.collective)) return decide(*state, call);
  ++state->uncounted;
  return pass_as_native();
}

/// Whether the MPI has made the call: not where an argument was found wrong on this rank, which makes it again.
bool made(int code) {
  if (code == MPI_SUCCESS) return true;
  int kind = MPI_ERR_UNKNOWN;
  if (pmpi.Error_class(code, &kind) != MPI_SUCCESS) return false;
  for (const int wrong : {MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_OP,
                          MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_GROUP})
    if (kind == wrong) return false;
  return true;
}

}  // namespace

/// The one exit from C++: exceptions become MPI error codes.  The MPI call that failed on the user's communicator has
/// raised an MpiError's error already.
Outcome attend(State* state, const Operation& call) noexcept {
  try {
    return consider(state, call);
  } catch (const MpiError& error) {
    return {true, error.code};
  } catch (const std::bad_alloc&) {
    return raised(call.comm, MPI_ERR_NO_MEM);
  } catch (const std::exception&) {
    return raised(call.comm, MPI_ERR_INTERN);
  }
}

void finish(State& state, int code) noexcept {
  if (state.mode == Mode::counting)
    made(code) ? state.seen += 1 : state.uncounted += 1;
  else if (state.active && state.active->online && state.active->online->timing())
    state.active->online->finish();
  else if (state.active)
    state.active->contests.finish();
}

}  // namespace tutti::runtime
