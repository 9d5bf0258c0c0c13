#pragma once
/// What stands around a collective where calls are recorded (TUTTI_RECORD).  Where they are not, nothing of this is
/// reached: a backend gives the loader its recording functions instead of the others when it is loaded.
#include <mpi.h>

#include <cstdint>

#include "clock/cycles.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::record {

/// Whether TUTTI_RECORD names a file, and whether the calls are to be served by tutti (not with TUTTI=off).
bool wanted();
bool serving();

/// Ticks of cycles, or nanoseconds of CLOCK_MONOTONIC_RAW where cycles tell no time.
extern bool ticks_are_cycles;
std::uint64_t nanoseconds();
inline std::uint64_t ticks() { return ticks_are_cycles ? cycle_count_unordered() : nanoseconds(); }

/// Begins: called once, when the backend is loaded.
void begin();

/// Notes a call that went well.  Never throws; makes no call of MPI that could wait for another rank.
void note(const void* caller, const void* frame, const runtime::Operation& call, std::uint64_t begin,
          std::uint64_t end) noexcept;

/// Called before the MPI's own Finalize: rank 0 writes what all ranks noted into the file.  Collective over
/// MPI_COMM_WORLD.
void conclude() noexcept;

/// Makes the call and notes it.  `caller`: its return address; `frame`: the stack pointer before the call.
template <class Describe, class Call>
[[gnu::always_inline]] inline int recorded(const void* caller, const void* frame, Describe&& describe, Call&& call) {
  const std::uint64_t begin = ticks();
  const int code = call();
  const std::uint64_t end = ticks();
  if (code == MPI_SUCCESS) note(caller, frame, describe(), begin, end);
  return code;
}

}  // namespace tutti::record
