#pragma once
/// Arrays of counts and displacements of a call under way.  The standard asks programs to keep them, yet the MPIs read
/// them at the start alone, and programs have come to free them then (mpi4py, where it narrows them for Open MPI).
#include <cstdint>
#include <vector>

#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

class HeldArrays {
 public:
  HeldArrays() = default;
  HeldArrays(const HeldArrays&) = delete;

  /// Replaces the call's arrays, where they count on rank `me` of `ranks`, by copies.
  void hold(Operation& call, Rank me, int ranks);

 private:
  std::vector<std::int64_t> copies_;
};

}  // namespace tutti::runtime
