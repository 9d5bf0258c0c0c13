#pragma once
/// Entry point of every intercepted collective: served by tutti, or passed to the MPI underneath.
#include "hang/entered.hpp"
#include "runtime/communicator/state.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

/// The outcome of a call: served with this MPI error code, or still to be made by the MPI underneath.
struct Outcome {
  bool served = false;
  int code = MPI_SUCCESS;
  State* told = nullptr;  ///< gets the result once the MPI underneath has made the call
};

/// The slow path: makes the communicator's state, counts, activates, chooses, runs the call. `state` is null if the
/// communicator is not in the table.  Never throws.
Outcome attend(State* state, const Operation& call) noexcept;

/// The MPI underneath has made a call, with that result: it counts towards the agreement, or was tried natively
/// (TUTTI_TUNE=online).
void finish(State& state, int code) noexcept;

/// Serves the call or runs `native`, a call of the MPI underneath with the caller's own arguments.  Returns an MPI
/// error code; where it is not MPI_SUCCESS, the communicator's error handler has run. `describe` makes the Operation.
/// It runs only if needed, because it takes longer than the rest: a call that is the MPI's own for ever costs one
/// look-up and its line in the ring of the last calls (src/hang).
template <class Describe, class Native>
[[gnu::always_inline]] inline int serve(MPI_Comm comm, Collective which, const hang::Facts& facts, Describe&& describe,
                                        Native&& native) {
  State* state = find_state(comm);
  const hang::Entered entered(shown(state, comm), static_cast<std::uint8_t>(which), facts);
  if (state && state->passes(which)) {
    Tally::add(state->tally(which).calls);
    last_choice = "native";
    return native();
  }
  const Operation& call = describe();
  const Outcome outcome = attend(state, call);
  if (outcome.served) return outcome.code;
  if (!outcome.told) [[likely]]
    return native();
  const int code = native();
  finish(*outcome.told, code);
  return code;
}

/// As above, for an operation that is there already.
template <class Native>
int serve(const Operation& call, Native&& native) {
  return serve(
      call.comm, call.collective, hang::Facts{__builtin_return_address(0), nullptr},
      [&]() -> const Operation& { return call; }, native);
}

}  // namespace tutti::runtime
