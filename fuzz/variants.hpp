#pragma once
/// Different datatypes of one signature on the ranks of one call, and data named by its address.
#include "case.hpp"

namespace tutti::fuzz {

/// A datatype from all that there are, and an operator that takes it.
void draw_rare_type(Random& random, Case& drawn);
/// Gives each rank, and each of its two buffers, a datatype of the same signature, and at times absolute addresses.
void vary_types(Random& random, Case& drawn, int ranks);

/// What a rank calls the case's elements: `factor` elements of `type` are one of the case's.
struct Variant {
  const Datatype* type;
  int factor;
  bool absolute;  ///< MPI_BOTTOM and a type that holds the address
};
Variant send_variant(const Case& which, int me);
Variant receive_variant(const Case& which, int me);

/// A type whose elements lie at `address` and on when MPI_BOTTOM is given as the buffer.  The caller frees it.
MPI_Datatype at_address(void* address, MPI_Datatype type);

}  // namespace tutti::fuzz
