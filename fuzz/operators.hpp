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

}  // namespace tutti::fuzz
