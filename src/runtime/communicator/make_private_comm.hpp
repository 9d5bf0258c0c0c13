#pragma once
/// Makes private communicators, and frees them.
#include <string>

#include "runtime/communicator/engine.hpp"
#include "runtime/wire/private_comm.hpp"

namespace tutti::runtime {

/// What all ranks know of themselves.
struct Ranks {
  shm::InstructionSet instructions;  ///< the widest that all have
  int most_per_node;
};

/// Collective over `mates.comm`: on all ranks or on none.  Where calls on it run in tasks, `mates` says how they
/// suspend.  False where it is refused: then `why` is one sentence, and what has been made is to be freed.
bool make_private_comm(const Mates& mates, const Ranks& ranks, PrivateComm& made, std::string& why);

/// Mostly inside the delete callback of the user's communicator: ranks free communicators in one order, and so these.
/// (In all MPIs known to us a free waits for nobody; PETSc frees its inner communicators in the same place.)  Not once
/// MPI_Finalize has begun.
void free_private_comm(PrivateComm& comm);

}  // namespace tutti::runtime
