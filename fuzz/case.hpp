#pragma once
/// One random call: everything about it that all ranks know, drawn from (seed, number) alone.
#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/contract.hpp"
#include "datatypes.hpp"
#include "mistakes.hpp"
#include "operators.hpp"
#include "parts.hpp"
#include "spellings.hpp"

namespace tutti::fuzz {

/// A communicator that cases run on, and how it was made.
struct ShmGroup {
  MPI_Comm comm = MPI_COMM_NULL;  ///< null on ranks outside
  std::string name;
  int size = 0;  ///< the same on every rank of the world, also outside
};

struct Case {
  std::uint64_t seed = 0;
  int number = 0;
  int turn = 0;  ///< which of the number's calls; 0 where there is one
  Collective collective = Collective::barrier;
  int group = 0;
  int root = 0;
  int count = 0;  ///< elements (per peer where the call says so)
  int type = 0;   ///< index into datatypes()
  int op = -1;    ///< index into operators(), -1 where there is none
  bool in_place = false;
  bool wide = false;                     ///< the MPI_Count form, where there is one
  std::vector<int> counts;               ///< v-forms: per rank
  std::vector<int> displacements;        ///< v-forms: elements, blocks apart from one another and out of order
  int span = 0;                          ///< elements that the v-form's displacements reach over
  std::vector<std::vector<int>> matrix;  ///< alltoallv, alltoallw: elements from row to column

  // One a rank; where empty, all ranks are alike.
  std::vector<Spelling> spellings;
  std::vector<int> send_types, receive_types;  ///< of the same signature as `type`, which they replace
  std::vector<char> absolute_send, absolute_receive;

  std::optional<Blunder> blunder;  ///< before the right call
};

/// Which cases to draw from.
struct Range {
  std::uint64_t seed = 1;
  std::vector<Collective> collectives;  ///< not empty
  std::int64_t limit = 4 << 20;         ///< bytes of one rank's buffers
  Parts parts;
};
/// A case of one call on one of `groups`.
Case draw(const Range& range, int number, const std::vector<ShmGroup>& groups);
/// The `turn`-th call of a case of many, on a communicator of `ranks`.
Case draw_turn(const Range& range, int number, int turn, int ranks);
/// How each rank spells a call, where the part `names` is among the range's: empty where all say MPI_X.
std::vector<Spelling> draw_spellings(Random& random, int ranks);
Spelling spelling_of(const Case& which, int me);

/// One line that tells everything.
std::string describe(const Case& which, const ShmGroup& group);

}  // namespace tutti::fuzz
