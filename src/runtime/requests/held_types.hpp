#pragma once
/// Types of a call under way: the program may free them, as the MPI keeps what its own calls need.
#include <vector>

#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

class HeldTypes {
 public:
  HeldTypes() = default;
  HeldTypes(const HeldTypes&) = delete;
  ~HeldTypes() { drop(); }

  /// Replaces the types of the call that are not the MPI's own by copies, one a type; those of an alltoallw, `ranks` on
  /// each side that it has, are copied as a row.  Throws MpiError.
  void hold(Operation& call, int ranks);
  void drop() noexcept;

 private:
  MPI_Datatype copy(MPI_Datatype type, MPI_Comm comm);

  std::vector<MPI_Datatype> copies_;
  std::vector<MPI_Datatype> rows_[2];
};

}  // namespace tutti::runtime
