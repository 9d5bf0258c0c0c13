#pragma once
/// Node engines: made by the ranks of a communicator, and passed on to the next one of the same ranks in the same order
/// when that is freed.  Making one costs about 300 us (a segment, its pages, the agreements); programs that split and
/// free a communicator in a loop pay it once.
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>

#include "runtime/arena.hpp"
#include "runtime/wire/progress_throttle.hpp"
#include "selection/settings.hpp"
#include "shm/group.hpp"

namespace tutti::runtime {

/// A group and what it belongs to.  Its ranks' calls form one sequence, whichever communicators they are made on: an
/// engine is idle on a rank only after that rank's last call on it, and all ranks agree before the next.
struct Engine {
  std::unique_ptr<shm::ShmGroup> group;
  Arena arena;                    ///< for what one call packs
  MPI_Comm comm = MPI_COMM_NULL;  ///< the user's, for look_for_messages
  std::uint64_t identity = 0;     ///< the same on all ranks, unlike any other engine's; below 2^62 and never 0
  int rank = 0, size = 1;
  std::size_t bytes = 0;                                         ///< of the segment, which are reserved, and
  std::size_t long_ring = 0, deposits = 0;                       ///< a rank's, which are not
  shm::InstructionSet instructions = shm::InstructionSet::base;  ///< of its ranks' kernels
  bool sound = true;                                             ///< no call on it has failed on this rank
  bool in_tasks = false;                                         ///< its calls suspend: it serves no blocking ones
  ProgressThrottle throttle;

  Engine(int rank, int size) : rank(rank), size(size) {}
  ~Engine();
  Engine(const Engine&) = delete;

  /// After a call: makes the MPI underneath move messages now and then.
  void progress_if_due() {
    if (throttle.due()) [[unlikely]]
      group->progress_soon();
  }
};

/// The MPI error code of a call with that ending.
constexpr int code_of(shm::Ending ending) {
  if (ending <= shm::Ending::less) [[likely]]
    return MPI_SUCCESS;
  return ending == shm::Ending::cut ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER;
}

/// Ranks that share a node, and settings that all of them have agreed on.
struct Mates {
  MPI_Comm comm;
  int rank, size;
  const Settings& settings;
  Suspend suspend = {};  ///< of the calls that the engine is for, where they run in tasks
};

/// This rank's part, in bytes, of the shared memory that the node may still have (TUTTI_NODE_MEMORY).  Local.
std::int64_t memory_left(const Mates& mates);
/// Bytes of the long ring that each rank of such a group would have, as far as this rank knows.  Local.
std::size_t long_ring_for(const Mates& mates, const shm::ShmGroupOptions& options);
/// Segments beside those of engines: so many bytes more (or less) are this rank's part of them.
void hold_memory(std::int64_t more);

/// Collective over them.  Null where it is refused; then `why` is one sentence.  Waits make progress on their
/// communicator, until the engine is given another one.
std::unique_ptr<Engine> make_engine(const Mates& mates, std::string& why);

/// Takes an idle engine in which this process is that rank of that size; null where there is none.  Ranks with equal
/// sets of idle engines take the same one.
std::unique_ptr<Engine> idle_engine(int rank, int size);
void put_idle(std::unique_ptr<Engine> engine) noexcept;
void drop_idle_engines() noexcept;

}  // namespace tutti::runtime
