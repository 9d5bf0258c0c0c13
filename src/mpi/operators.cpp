#include "mpi/operators.hpp"

#include "mpi/pmpi.hpp"

namespace tutti::mpi {

using node::Operator;

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

bool defined_on(MPI_Op op, const TypeInfo& type) {
  using Kind = TypeInfo::Kind;
  const Kind kind = type.kind;
  const std::optional<Operator> ours = operator_of(op);
  // For one-sided communication only; a collective with them is an error.
  if (!ours) return op != MPI_REPLACE && op != MPI_NO_OP;
  switch (*ours) {
    case Operator::min:
    case Operator::max:
      return kind == Kind::integer || kind == Kind::floating;
    case Operator::sum:
    case Operator::prod:
      return kind == Kind::integer || kind == Kind::floating || kind == Kind::complex;
    case Operator::land:
    case Operator::lor:
    case Operator::lxor:
      return kind == Kind::integer || kind == Kind::logical;
    case Operator::band:
    case Operator::bor:
    case Operator::bxor:
      return kind == Kind::integer || kind == Kind::byte;
    case Operator::minloc:
    case Operator::maxloc:
      return kind == Kind::pair;
  }
  return false;
}

}  // namespace tutti::mpi
