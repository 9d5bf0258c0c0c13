#pragma once
/// A call of tutti/shared.h, and whether its arguments are right.
#include <cstdint>

#include "runtime/datatype/packing.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::shared {

/// The arguments as they are, and what follows from them.
struct Request {
  /// `send` is where this rank's contribution lies; `receive` has no buffer yet.
  runtime::Operation call;
  int rank = 0, size = 1;
  runtime::Typed from, to;    ///< the types of the two sides
  std::int64_t elements = 0;  ///< of the result (alltoall: of one rank's)
  std::int64_t bytes = 0;     ///< from the result's first byte to its last, gaps included
  std::int64_t data = 0;      ///< bytes of data that all ranks must agree on

  /// Elements of rank r's block, and of all before it.
  std::int64_t block(int r) const { return call.receive.counts ? call.receive.counts[r] : call.receive.count; }
  std::int64_t before(int r) const;
  bool sends() const { return call.collective != Collective::bcast || rank == call.root; }
};

/// MPI_SUCCESS, and the request filled in; else the error class that MPI has for the first wrong argument.  `call` has
/// a valid intracommunicator.  Throws MpiError, raised by MPI.
int understand(const runtime::Operation& call, int rank, int size, Request& request);

}  // namespace tutti::shared
