#pragma once
/// The door that every intercepted collective goes through: served by tutti, or passed to the MPI underneath.
#include "front/flavour.h"
#include "mpi/operation.hpp"
#include "mpi/state.hpp"

namespace tutti::mpi {
class Online;
}

namespace tutti::interpose {

/// Fills the table of the MPI underneath.  Calls nothing in it and reads no setting: MPI may not be initialised yet.
/// Returns null, or the first function that this MPI lacks (then the flavour must not serve).
const char* start(const tutti_front& front);

/// Called by the wrapper of MPI_Finalize before the MPI's own: summary and report are written, segments unmapped.
/// Collectives after it (in the delete callbacks of MPI_COMM_SELF) are the MPI's own.
void finalize_begin();

/// What became of a call: carried out with this MPI error code, or still to be made by the MPI underneath.
struct Outcome {
  bool served = false;
  int code = MPI_SUCCESS;
  mpi::Online* timed = nullptr;  ///< told when the MPI underneath has made the call
};

/// All thought, out of line: makes the communicator's state, counts, activates, chooses, carries out.
/// `state` is null where the communicator is not in the table.  Never throws.
Outcome attend(mpi::State* state, const mpi::Operation& call) noexcept;

/// A call that was tried natively (TUTTI_TUNE=online) has been made.
void finish(mpi::Online& timed) noexcept;

/// Serves the call or runs `native`, a call of the MPI underneath with the caller's own arguments.  Returns an MPI
/// error code; where it is not MPI_SUCCESS, the communicator's error handler has run.
/// `describe` makes the Operation.  It runs only where it is needed (filling one in takes longer than all the rest):
/// a call that is the MPI's own for ever costs one look-up, about 2 ns.
template <class Describe, class Native>
[[gnu::always_inline]] inline int serve(MPI_Comm comm, Collective which, Describe&& describe, Native&& native) {
  mpi::State* state = mpi::find_state(comm);
  if (state && state->passes(which)) {
    mpi::Tally::add(state->tally(which).calls);
    mpi::last_choice = "native";
    return native();
  }
  const mpi::Operation& call = describe();
  const Outcome outcome = attend(state, call);
  if (outcome.served) return outcome.code;
  if (!outcome.timed) [[likely]]
    return native();
  const int code = native();
  finish(*outcome.timed);
  return code;
}

/// As above, for an operation that is there already.
template <class Native>
int serve(const mpi::Operation& call, Native&& native) {
  return serve(
      call.comm, call.collective, [&]() -> const mpi::Operation& { return call; }, native);
}

}  // namespace tutti::interpose
