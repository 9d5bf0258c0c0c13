#pragma once
/// Entry point of the collectives that give the program a request: nonblocking ones and those that make a persistent
/// one.  Served by the plans of the blocking call, on a channel of their own, or left to the MPI underneath.
#include "runtime/dispatch.hpp"
#include "runtime/requests/native_requests.hpp"
#include "runtime/requests/request.hpp"

namespace tutti::runtime {

/// Whether the call is served; then `request` holds what the program gets, and `code` the MPI error code, which has
/// been raised.  Never throws.  A nonblocking call waits for no other rank.
Outcome attend_request(const Operation& call, Form form, MPI_Request* request) noexcept;

/// The MPI underneath has refused a call that was left to it: ranks do not number such calls alike.
void not_made(State& state) noexcept;

/// Serves the call or runs `native`, as `serve` does.
template <class Describe, class Native>
int serve_request(MPI_Comm comm, Form form, Collective which, MPI_Request* request, const hang::Facts& facts,
                  Describe&& describe, Native&& native) {
  State* const state = find_state(comm);
  constexpr unsigned form_bit = 6;  // hang::Record::code
  const hang::Entered entered(
      shown(state, comm),
      static_cast<std::uint8_t>(static_cast<unsigned>(which) | static_cast<unsigned>(form) << form_bit), facts);
  if (state && state->size < 2) {
    Tally::add(state->tally(which, form).calls);
    return native();
  }
  const Operation& call = describe();
  const Outcome outcome = attend_request(call, form, request);
  if (outcome.served) return outcome.code;
  const int code = native();
  if (code != MPI_SUCCESS && outcome.told) not_made(*outcome.told);
  if (code == MPI_SUCCESS && request != nullptr) native_requests::add(*request);
  return code;
}

}  // namespace tutti::runtime
