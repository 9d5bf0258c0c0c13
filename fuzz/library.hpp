#pragma once
/// What the MPI libraries get wrong by themselves: cases that would compare with garbage, or end the program.
#include "case.hpp"

namespace tutti::fuzz {

/// False where null runs (this program without tutti: the library against itself) are known to fail.  The list, with
/// what was seen, is in library.cpp; `tests/mpi/fuzz.py --null` looks for more.
bool library_is_sound(const Case& which, int ranks);
/// The library runs rooted calls crossed with messages for this root, so many ahead.
bool library_runs_crossed(Collective collective, int root, int ahead);
/// The ranks of one call may name its elements by types of different sizes.
bool library_mixes(Collective collective);
/// The library's own nonblocking and persistent form of the call ends, and leaves other memory alone.
bool library_begins(const Case& which);
/// What the library's own nonblocking and persistent form of the call gives can be compared.
bool library_requests(const Case& which);
/// Its persistent requests can be started.
bool library_restarts();
/// The library bears such a call in a delete callback of the communicator.
bool library_buries(Collective collective);
/// False where it reports the mistake on one rank, but not on several.
bool library_reports(Collective collective, const Blunder& blunder);

}  // namespace tutti::fuzz
