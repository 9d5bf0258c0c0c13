#pragma once
/// What the MPI libraries get wrong by themselves: cases that would compare with garbage, or end the program.
#include "case.hpp"

namespace tutti::fuzz {

/// False where null runs (this program without tutti: the library against itself) are known to fail.  The list, with
/// what was seen, is in library.cpp; `tests/mpi/fuzz.py --null` looks for more.
bool library_is_sound(const Case& which, int ranks);

}  // namespace tutti::fuzz
