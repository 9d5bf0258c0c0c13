#pragma once
/// The private communicator that carries the messages of one user communicator.
#include <mpi.h>

#include <memory>

#include "core/step.hpp"
#include "shm/reducer.hpp"
#include "task/suspend.hpp"

namespace tutti::runtime {

struct Workspace;

/// The tags of one call, from its first one on: one for the messages that name their peers, and two for each set of
/// peers whose messages are received in any order.
///
/// These are received from MPI_ANY_SOURCE, directly into a step's memory.  (Receives from each peer would match safely,
/// but need memory for all of them, and learn too late which step's memory a message is for.)  So a message is
/// identified by its tag alone: the set's own, in this call.  A fast rank may be many calls ahead, because nothing
/// makes it wait for the root of a reduction; its message of a later call has another tag, until tags are reused.
/// Before that all ranks synchronise, after which no message of an earlier call is in flight.  The continuation of a
/// message that exceeds one MPI message uses the set's second tag, from the rank whose beginning has arrived.
struct Tags {
  static constexpr int named = 0, a_call = 1 + 2 * most_sets;
  static constexpr int beginning(int set) { return 1 + 2 * set; }
  /// The tag of what follows a chunk under that one.
  static constexpr int after(int tag) { return tag % 2 == 1 ? tag + 1 : tag; }
};

/// Private communicator, and what is kept from call to call: message numbering, memory, bound programs. One call at a
/// time, as MPI demands of collectives on one communicator.
struct PrivateComm {
  PrivateComm();
  ~PrivateComm();
  PrivateComm(PrivateComm&&) noexcept;
  PrivateComm& operator=(PrivateComm&&) noexcept;

  MPI_Comm comm = MPI_COMM_NULL;  ///< ranks as in the user's communicator; MPI_ERRORS_RETURN; owned by whoever made it
  Rank me = 0;                    ///< in schedules
  int size = 1;
  const Rank* peers = nullptr;  ///< ranks of `comm` that the ranks of schedules are, where not the same
  const int* places = nullptr;  ///< and the way back: by rank of `comm`
  int tag_limit = 32767;        ///< MPI_TAG_UB
  unsigned sequence = 0;        ///< the next call's number, which gives its tags; wraps at the limit
  int window = 64;              ///< steps that the executor looks ahead, 1 to 64
  int polls = 200;      ///< fruitless polls before each further one yields the processor; about 4 if oversubscribed
  Suspend suspend;      ///< replaces polling, where calls run in tasks
  bool fenced = false;  ///< each marked round ends before the next begins: slower, to compare with
  shm::InstructionSet instructions = shm::InstructionSet::base;  ///< of its ranks' kernels
  std::unique_ptr<Workspace> workspace;                          ///< made at the first call
  std::unique_ptr<Workspace> put_aside;                          ///< after failures: messages may still write there
};

}  // namespace tutti::runtime
