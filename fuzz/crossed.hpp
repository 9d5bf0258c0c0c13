#pragma once
/// Rooted calls crossed with messages: "reduce, then send" on some ranks against "receive, then reduce" at the root.
/// The standard lets a collective synchronise; but every MPI runs such programs while the data is short.
#include <mpi.h>

#include <string>
#include <vector>

#include "case.hpp"

namespace tutti::fuzz {

struct Crossing {
  Collective collective = Collective::bcast;
  int root = 0;
  int count = 1;  ///< ints a block
  int ahead = 1;  ///< calls before the message
  std::vector<Spelling> spellings;
};

Crossing draw_crossing(Random& random, const Range& range, int ranks);
std::string describe(const Crossing& which);
/// Empty where every value is right, else what is wrong.
std::string carry_out(const Crossing& which, MPI_Comm comm, bool by_library);

}  // namespace tutti::fuzz
