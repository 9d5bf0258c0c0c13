#include "runtime/datatype/operators.hpp"

#include "runtime/datatype/acceptance.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

using shm::Operator;

std::span<const PredefinedOperator> predefined_operators() {
  static const PredefinedOperator all[] = {
      {MPI_SUM, Operator::sum, "MPI_SUM"},          {MPI_MAX, Operator::max, "MPI_MAX"},
      {MPI_MIN, Operator::min, "MPI_MIN"},          {MPI_PROD, Operator::prod, "MPI_PROD"},
      {MPI_LAND, Operator::land, "MPI_LAND"},       {MPI_LOR, Operator::lor, "MPI_LOR"},
      {MPI_LXOR, Operator::lxor, "MPI_LXOR"},       {MPI_BAND, Operator::band, "MPI_BAND"},
      {MPI_BOR, Operator::bor, "MPI_BOR"},          {MPI_BXOR, Operator::bxor, "MPI_BXOR"},
      {MPI_MINLOC, Operator::minloc, "MPI_MINLOC"}, {MPI_MAXLOC, Operator::maxloc, "MPI_MAXLOC"},
  };
  return all;
}

std::optional<Operator> operator_of(MPI_Op op) {
  for (const PredefinedOperator& each : predefined_operators())
    if (each.handle == op) return each.ours;
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
