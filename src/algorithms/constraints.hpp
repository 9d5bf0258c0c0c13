#pragma once
/// What an algorithm asks of the calls that it serves, and whether a call has it: one place for the choice, the
/// verifier's survey, the command and the tests.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/problem.hpp"

namespace tutti {

struct Constraints {
  bool commutative = false;      ///< a commutative operator
  bool power_of_two = false;     ///< of ranks
  bool even = false;             ///< an even number of ranks
  bool regular = false;          ///< equal blocks on all ranks (no v-form)
  int least_ranks = 1;           ///< no fewer ranks
  std::int64_t least_count = 0;  ///< no fewer elements, in vector or block, where all ranks know them
  bool by_arrival = false;       ///< combines operands as they arrive: bits may differ from run to run
  bool one_ported = true;        ///< a rank sends one message, and receives one, in a marked round: hinders no call
};

/// The part of a call that constraints speak of; what is left out hinders nothing.
struct Occasion {
  int ranks = 1;
  bool equal_blocks = true;
  bool commutative = true;
  bool reproducible = false;      ///< the same bits on every run, whoever comes first
  std::int64_t count = -1;        ///< elements; -1 where the ranks do not all know them
  std::string_view who = "rank";  ///< who takes part: ranks, or a node each
};

/// What the constraints ask for, each as words that go on after "needs": "a commutative operator".
std::vector<std::string> needs(const Constraints& constraints);

/// Why the call cannot be served, as one clause ("6 ranks are not a power of two"); empty where it can.
std::string obstacle(const Constraints& constraints, const Occasion& call);

}  // namespace tutti
