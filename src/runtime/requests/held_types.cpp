#include "runtime/requests/held_types.hpp"

#include "runtime/datatype/types.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

/// Not by MPI_Type_dup, which runs the program's attribute callbacks.  The MPI's own types need no copy, and no
/// operator of its own takes one: MPI_DOUBLE_INT, which has padding, is such a type too.
MPI_Datatype HeldTypes::copy(MPI_Datatype type, MPI_Comm comm) {
  if (type == MPI_DATATYPE_NULL || plain_size(type) >= 0 || describe(type, comm).predefined) return type;
  MPI_Datatype made = MPI_DATATYPE_NULL;
  require(pmpi.Type_contiguous(1, type, &made), "PMPI_Type_contiguous");
  copies_.push_back(made);
  require(pmpi.Type_commit(&made), "PMPI_Type_commit");
  return made;
}

void HeldTypes::hold(Operation& call, int ranks) {
  drop();
  Side* const sides[] = {&call.send, &call.receive};
  for (std::size_t i = 0; i < 2; ++i) {
    Side& side = *sides[i];
    side.type = copy(side.type, call.comm);
    if (side.types == nullptr) continue;
    rows_[i].clear();
    for (int rank = 0; rank < ranks; ++rank)
      rows_[i].push_back(side.counts[rank] != 0 ? copy(side.types[rank], call.comm) : MPI_BYTE);
    side.types = rows_[i].data();
  }
}

void HeldTypes::drop() noexcept {
  for (MPI_Datatype& type : copies_) pmpi.Type_free(&type);
  copies_.clear();
}

}  // namespace tutti::runtime
