#pragma once
/// Combines elements in one call: by a kernel of ours, else by MPI_Reduce_local.
///
/// Reductions work on packed elements throughout, `size` bytes apart, on all ranks alike whatever their types look
/// like in memory.  Where the packed form is not the memory's form, operands are unpacked for MPI_Reduce_local, some
/// at a time, and the result packed again.
#include <mpi.h>

#include <vector>

#include "runtime/datatype/packing.hpp"
#include "shm/reducer.hpp"

namespace tutti::runtime {

/// Lives as long as the call; `reducer()` points into it.
class Combiner {
 public:
  Combiner(MPI_Op op, const Typed& elements, shm::InstructionSet instructions);
  /// By a kernel of ours that is known.
  explicit Combiner(const shm::Reducer& kernel) : op_(MPI_OP_NULL), reducer_(kernel) {}
  Combiner(const Combiner&) = delete;

  /// out = in (+) inout, packed elements.
  const shm::Reducer& reducer() const { return reducer_; }
  /// First error of MPI_Reduce_local, or MPI_SUCCESS.
  int error() const { return error_; }

 private:
  static void reduce_local(void* self, const void* in, const void* inout, void* out, std::size_t count) noexcept;
  static void reduce_unpacked(void* self, const void* in, const void* inout, void* out, std::size_t count) noexcept;
  template <typename Work>
  void in_batches(std::size_t count, Work work) noexcept;
  void reduce(const void* in, void* inout, std::int64_t count);
  void reserve();

  MPI_Op op_;
  Typed elements_;
  int error_ = MPI_SUCCESS;
  shm::Reducer reducer_;
  std::vector<std::byte> memory_;  ///< of unpacked operands
  std::byte *left_ = nullptr, *right_ = nullptr;
  std::int64_t batch_ = 0;  ///< elements that fit in each
};

}  // namespace tutti::runtime
