#pragma once
/// Calls with a wrong argument.  A rank whose error is reported at once, before anything is communicated, goes on to
/// the right call as programs do; the other ranks never made the wrong one.
#include <string>
#include <vector>

#include "arguments.hpp"
#include "random.hpp"

namespace tutti::fuzz {

enum class Mistake { negative_count, null_type, uncommitted_type, bad_root, null_op, wrong_op, null_buffer, aliased };

/// One wrong call before a case's right one.
struct Blunder {
  Mistake mistake = Mistake::negative_count;
  bool other_side = false;  ///< in what the call says of the buffer that is not its first
  int culprit = -1;         ///< a rank, or -1: all
  bool handler = false;     ///< the user's own error handler, which counts; else MPI_ERRORS_RETURN
};

/// Asks the library which mistakes it reports.  Collective over the world, once before the others are used.
void learn_mistakes();
/// A mistake that the library reports at once, or false where it knows none in this collective.
bool draw_blunder(Random& random, Collective collective, int ranks, int root, Blunder& drawn);
std::string describe(const Blunder& blunder);
/// Makes the call's arguments wrong.
void spoil(Arguments& call, const Blunder& blunder);

}  // namespace tutti::fuzz
