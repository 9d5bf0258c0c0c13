#pragma once
/// Calls for the executor's test: random ones, each made twice, natively and by an algorithm of the catalogue.
#include <mpi.h>

#include <cstdint>
#include <random>
#include <vector>

#include "core/contract.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::test {

/// Memory for elements of a type with any bounds; random bytes around and between them.
struct Memory {
  Memory() = default;
  Memory(MPI_Datatype type, std::int64_t count, std::mt19937& random);
  void* address() { return bytes.data() + origin; }
  std::vector<unsigned char> bytes;
  std::int64_t origin = 0;
};

/// A datatype of so many ints, and how many of them.
struct Kind {
  MPI_Datatype type = MPI_INT;
  int ints = 1;
};

/// Types with one signature and many shapes: dense, with gaps, out of order, with a negative lower bound.
const std::vector<Kind>& int_kinds();

/// Operator and type of a reduction.
struct Reduction {
  MPI_Op op = MPI_SUM;
  MPI_Datatype type = MPI_INT;
  const char* text = "";
  bool commutative = true;
};

/// Predefined ones, pairs, and users' operators, non-commutative and on types with gaps.
std::vector<Reduction> reductions();

/// The blocks of one side of a call.
struct Blockwise {
  std::vector<Kind> kinds;  ///< of each block; all the same but in alltoallw
  std::vector<MPI_Datatype> types;
  std::vector<int> counts, displacements;  ///< elements; in alltoallw, displacements in bytes

  std::int64_t ints(std::size_t block) const { return std::int64_t{counts[block]} * kinds[block].ints; }
};

struct Case {
  Collective which = Collective::barrier;
  int root = 0, count = 0;  ///< reductions: elements; otherwise sixes of ints a block, at most
  bool in_place = false;
  Reduction reduction;

  // This rank's arguments.
  Blockwise sends, receives;
  Memory send, receive;
  std::int64_t received = 0;  ///< reductions: elements of this rank's result
};

/// Fills in this rank's arguments.  `shared` stands at the same point on all ranks, `own` differs.
void make_arguments(Case& one, int me, int size, std::mt19937& shared, std::mt19937& own);
/// The call as tutti sees it, on that memory.
runtime::Operation operation(Case& one, Memory& receive, MPI_Comm comm);
/// What the MPI library makes of it.  Where data only moves, it is asked to move plain ints from and to a copy: with
/// types that differ from rank to rank, though their signatures agree, MPICH 5.0.2 (allgatherv), Open MPI 5.0.11
/// (allgatherv) and Intel MPI 2021.18 (allgather) choose different algorithms on different ranks.
void reference(Case& one, Memory& receive, MPI_Comm comm);

}  // namespace tutti::test
