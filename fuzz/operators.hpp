#pragma once
/// The operators that cases draw from, the user's own among them: commutative and not.
#include <mpi.h>

#include <string>
#include <vector>

#include "datatypes.hpp"

namespace tutti::fuzz {

struct Operator {
  std::string name;
  MPI_Op handle;
  bool user;
  bool (*takes)(const Datatype& type);
};

/// Made once a process.
const std::vector<Operator>& operators();
/// The operator is drawn with this type: it is sensible, and for a type beyond the plain ones the library takes it
/// (MPI_CHAR with MPI_SUM: some do), which is asked by MPI_Reduce_local.
bool goes(const Operator& op, const Datatype& type);

}  // namespace tutti::fuzz
