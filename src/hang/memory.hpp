#pragma once
/// The block of this process: a memfd that stays open, so that whoever may read this process finds it in /proc/PID/fd.
/// Made at the first intercepted call.  Where there is none to be had, private memory takes its place, and nobody sees
/// it: calls need not ask.
#include <string_view>

#include "hang/layout.hpp"

namespace tutti::hang {

/// Never null.  Of several threads' first calls one makes it.
Block& block();

/// The ring of the calling thread, made or taken over from a thread that has ended at its first call.
Ring& claim_ring();

/// Of the calling thread, or null before its first call.  Simulated ranks are contexts, each with its own copy of the
/// program's variables: hundreds of copies have no room among the process's thread-local ones.
#ifdef TUTTI_RANKS_ARE_CONTEXTS
extern constinit Ring* ring_of_thread;
#else
extern constinit thread_local Ring* ring_of_thread [[gnu::tls_model("initial-exec")]];
#endif

/// A place in the table of communicators, all zero but for `index`; where the table is full, one that nobody sees.
Communicator& claim_communicator();
/// May be given to another communicator.
void release(Communicator& entry);
/// Stands for communicators without a place.
Communicator& nowhere();

/// Adds a name; nothing where there is no room.  Callers take turns (they have a lock of their own).
void add_name(Name::What what, std::uint64_t value, std::string_view text, std::size_t bytes = 0);

/// Of MPI_COMM_WORLD.
void set_world(int rank, int size);

}  // namespace tutti::hang
