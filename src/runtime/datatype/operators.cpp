#include "runtime/datatype/operators.hpp"

#include "runtime/datatype/acceptance.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

using shm::Operator;

std::optional<Operator> operator_of(MPI_Op op) {
  struct Entry {
    MPI_Op handle;
    Operator ours;
  };
  static const Entry entries[] = {
      {MPI_SUM, Operator::sum},   {MPI_MAX, Operator::max},       {MPI_MIN, Operator::min},
      {MPI_PROD, Operator::prod}, {MPI_LAND, Operator::land},     {MPI_LOR, Operator::lor},
      {MPI_LXOR, Operator::lxor}, {MPI_BAND, Operator::band},     {MPI_BOR, Operator::bor},
      {MPI_BXOR, Operator::bxor}, {MPI_MINLOC, Operator::minloc}, {MPI_MAXLOC, Operator::maxloc},
  };
  for (const Entry& entry : entries)
    if (entry.handle == op) return entry.ours;
  return std::nullopt;
}

bool commutative(MPI_Op op) {
  if (predefined(op)) return true;
  int answer = 0;
  return pmpi.Op_commutative(op, &answer) == MPI_SUCCESS && answer != 0;
}

bool accepted(MPI_Op op, MPI_Datatype type, const TypeInfo& info) {
  if (!info.usable) return false;
  if (predefined(op)) return acceptance(op, type, info).accepted;
  return op != MPI_REPLACE && op != MPI_NO_OP;  // for one-sided communication only; a collective with them is an error
}

}  // namespace tutti::runtime
