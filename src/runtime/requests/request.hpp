#pragma once
/// Requests of ours: one nonblocking call, or one persistent request.
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "runtime/plan/call_plan.hpp"
#include "runtime/requests/held_arrays.hpp"
#include "runtime/requests/held_types.hpp"

namespace tutti::runtime {

class Channel;

/// A handle's value; handles are integers in MPICH and pointers elsewhere.
inline std::uint64_t request_key(MPI_Request request) {
  std::uint64_t key = 0;
  static_assert(sizeof request <= sizeof key);
  std::memcpy(&key, &request, sizeof request);
  return key;
}

/// What the program holds is a genuine request of the MPI, the carrier: a persistent receive of nothing that is never
/// started (carrier.hpp).  Every function of the MPI takes it, and finds it inactive; whether a request of ours is
/// active, and complete, is known here alone.
struct Request {
  enum class State : std::uint8_t {
    inactive,  ///< a persistent request that is not started, or nobody's
    started,   ///< waiting for its turn on its channel, or under way
    complete,  ///< and the program has not been told
  };

  Operation call;
  CallPlan plan;
  HeldTypes types;
  HeldArrays arrays;
  Channel* channel = nullptr;
  std::atomic<State> state{State::inactive};
  bool persistent = false;
  bool has_halves = false;  ///< its call
  bool freed = false;       ///< by the program, while it was started
  int code = MPI_SUCCESS;
  MPI_Request carrier = MPI_REQUEST_NULL;
  Request* next = nullptr;  ///< in its channel's queue, or in a list of free ones

  bool done() const { return state.load(std::memory_order_acquire) == State::complete; }
  bool active() const { return state.load(std::memory_order_relaxed) != State::inactive; }
};

}  // namespace tutti::runtime
