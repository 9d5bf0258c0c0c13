#include "runtime/requests/requesting.hpp"

#include "runtime/datatype/acceptance.hpp"
#include "runtime/datatype/operators.hpp"
#include "runtime/errors.hpp"
#include "runtime/plan/node_variant.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/report/explanation.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/requests/venue.hpp"
#include "runtime/wire/flat_call.hpp"

namespace tutti::runtime {
namespace {

/// `counted`: the communicator whose call it has been counted as.
Outcome leave(Reason& why, State* counted = nullptr) {
  why.count_request();
  last_choice = "native";
  return {.told = counted};
}

/// Whether a kernel of ours combines the elements: a reduction that calls the MPI or the program while it is under way
/// could not go on while they are busy.  The same on all ranks, as operators and their types are.
bool combined_by_us(const Operation& call) {
  if (!reduces(call.collective)) return true;
  const auto ours = operator_of(call.op);
  return ours && acceptance(call.op, call.receive.type, describe(call.receive.type, call.comm)).element;
}

void bind(Request& request, State& state, const Operation& call, const Choice& choice, std::int64_t bytes,
          const shm::ShmGroup* group) {
  request.plan.bind(call, choice, bytes, {state.rank, state.size, venue_of(state).instructions(), group});
  request.has_halves = request.plan.lasts() && !request.plan.needs_mpi() &&
                       group->has_halves(variant_call(call, state.rank, state.size), borders_of(choice));
}

Request& make_request(State& state, const Operation& call, const Choice& choice, std::int64_t bytes, Channel& channel) {
  Request& request = channel.take(call);
  if (!request.plan.lasts() || !request.plan.matches(call)) bind(request, state, call, choice, bytes, channel.group());
  request.call = call, request.code = MPI_SUCCESS, request.freed = false;
  if (choice.kind != Choice::Kind::node) request.call.comm = channel.wires()->messages.comm;
  if (request.plan.needs_mpi()) {  // other plans know of types and arrays what a run needs
    // Operators of ours are for the MPI's own types, which stay.
    if (!reduces(call.collective)) request.types.hold(request.call, state.size);
    request.arrays.hold(request.call, state.rank, state.size);
  }
  return request;
}

Outcome consider(const Operation& call, Form form, MPI_Request* handle) {
  State* const state = acquire_state(call.comm);
  if (!state) return {};
  Tally& tally = state->tally(call.collective, form);
  Tally::add(tally.calls);
  if (state->inter) return leave(two_groups());
  if (state->size < 2) return {};
  if (state->rank < 0) require(pmpi.Comm_rank(call.comm, &state->rank), "PMPI_Comm_rank");
  if (handle == nullptr || !valid_arguments(call, state->size, state->rank)) return leave(invalid_arguments());
  RequestVenue& venue = venue_of(*state);
  if (!venue.serves_next(form)) return leave(venue.why(), state);
  CallSignature signature = signature_of(call, state->size, state->rank);
  signature.request = true;
  const Choice& choice = venue.selector().choose(signature);
  if (venue.explaining()) [[unlikely]]
    explain_request(*state, signature, choice, venue.settings(), venue.explained(call.collective));
  if (choice.kind == Choice::Kind::native) return leave(reason(choice.reason));
  // Where a blocking call's two ways are close, the MPI's own request moves a long block while ours waits for a turn:
  // of 64 and 256 KiB between two ranks the engine's had 0.72 to 0.85 of the speed of Intel MPI's.
  if (choice.contested && form == Form::nonblocking) return leave(contested_request());
  if (!combined_by_us(call)) return leave(reason("an operator of the program's in a nonblocking or persistent call"));
  Channel* const channel = venue.channel_for(form, choice);
  // What is set up at a later call, or cannot be with this MPI library, is no failure to serve.
  if (channel || (&venue.why() != &not_set_up() && &venue.why() != &immovable())) Tally::add(tally.eligible);
  if (!channel) return leave(venue.why());
  const motion::Lock lock;
  Request& request = make_request(*state, call, choice, signature.bytes, *channel);
  request.persistent = form == Form::persistent;
  *handle = request.carrier;
  motion::hold(1);
  if (!request.persistent) motion::start(request);
  Tally::add(choice.kind == Choice::Kind::node   ? tally.node
             : choice.kind == Choice::Kind::flat ? tally.flat
                                                 : tally.hierarchy);
  last_choice = choice.text.c_str();
  return {true, MPI_SUCCESS};
}

}  // namespace

void not_made(State& state) noexcept { venue_of(state).take_back(); }

Outcome attend_request(const Operation& call, Form form, MPI_Request* request) noexcept try {
  return consider(call, form, request);
} catch (...) {
  const int code = code_of_failure();
  pmpi.Comm_call_errhandler(call.comm, code);
  return {true, code};
}

}  // namespace tutti::runtime
