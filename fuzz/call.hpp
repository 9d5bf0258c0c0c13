#pragma once
/// Carries out a case, by MPI_X or by PMPI_X, on buffers of its own.
#include <string>
#include <vector>

#include "case.hpp"

namespace tutti::fuzz {

/// The buffers of one rank for one variant of a case.
struct Buffers {
  TypedBuffer send, receive;
};

/// Elements of this rank's two buffers, and how many of the receive buffer are results.
struct Shape {
  std::int64_t send = 0, receive = 0, results = 0;
};
Shape shape(const Case& which, int ranks, int me);

/// `native`: PMPI_X.  Returns the MPI error code.
int call(const Case& which, const Team& team, Buffers& buffers, bool native);

}  // namespace tutti::fuzz
