#pragma once
/// What carries the messages of one user communicator.
#include <mpi.h>

#include <memory>

#include "core/block.hpp"
#include "node/reducer.hpp"

namespace tutti::mpi {

struct Workspace;

/// Private communicator, and what is kept from call to call: message numbering, memory, bound plans.
/// One call at a time, as MPI demands of collectives on one communicator.
struct Wire {
  Wire();
  ~Wire();
  Wire(Wire&&) noexcept;
  Wire& operator=(Wire&&) noexcept;

  MPI_Comm comm = MPI_COMM_NULL;  ///< ranks as in the user's communicator; MPI_ERRORS_RETURN; owned by whoever made it
  Rank me = 0;
  int size = 1;
  int tag_limit = 32767;  ///< MPI_TAG_UB
  unsigned sequence = 0;  ///< the tag of the next call's messages; begins again beyond the limit
  int window = 64;        ///< steps that the executor looks ahead, 1 to 64
  int polls = 200;        ///< fruitless looks for a message before each further one yields the processor; about 4 where
                          ///< there are more ranks than processors
  bool fenced = false;    ///< each marked round ends before the next begins: slower, to compare with
  node::InstructionSet instructions = node::InstructionSet::base;  ///< of its ranks' kernels
  std::unique_ptr<Workspace> workspace;                            ///< made at the first call
  std::unique_ptr<Workspace> put_aside;                            ///< after failures: messages may still write there
};

}  // namespace tutti::mpi
