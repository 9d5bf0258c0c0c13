#pragma once
/// What combines elements in one call: a kernel of ours, else MPI_Reduce_local.
#include <mpi.h>

#include "mpi/types.hpp"
#include "node/reducer.hpp"

namespace tutti::mpi {

/// Lives as long as the call; `reducer()` points into it.
class Combiner {
 public:
  Combiner(MPI_Op op, MPI_Datatype type, const TypeInfo& info);
  Combiner(const Combiner&) = delete;

  /// inout = in (+) inout, elements `info.extent` bytes apart.
  const node::Reducer& reducer() const { return reducer_; }
  /// a (+) b and b (+) a are the same bits: operands may be swapped where only bits count.
  bool symmetric() const { return symmetric_; }
  /// First error of MPI_Reduce_local, or MPI_SUCCESS.
  int error() const { return error_; }

 private:
  static void reduce_local(void* self, const void* in, void* inout, std::size_t count);
  MPI_Op op_;
  MPI_Datatype type_;
  std::int64_t extent_;
  bool symmetric_ = false;
  int error_ = MPI_SUCCESS;
  node::Reducer reducer_;
};

}  // namespace tutti::mpi
