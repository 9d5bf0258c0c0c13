#pragma once
/// The programs of all ranks of one call, bound to cells and to each other: what every interpreter that runs all ranks
/// starts from.
#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/cells.hpp"
#include "analysis/fault.hpp"
#include "analysis/problem.hpp"

namespace tutti {

struct MatchedStep {
  std::vector<Run> reads, writes;  ///< cells, in the order of the payload; a reduce reads its operands left to right
  std::vector<Run> needs, learns;  ///< cells of sizes that it must know, and that it brings (learned areas)
  std::int64_t length = 0;         ///< elements moved or combined
  bool tokens = false;             ///< a message of tokens
  bool sized = false;              ///< a message that begins with the sizes of the blocks of `owners`
  std::vector<int> owners;
  Rank peer = -1;          ///< of a message; in a set, as if they arrived in the order in which it names its peers
  int match = -1;          ///< the peer's step at the other end
  int set = no_set;        ///< of a message in a set of its receiver's
  int earlier = -1;        ///< the message to (or from) the same peer just before this one; none in a set
  int round = 0;           ///< marked rounds before it
  int place = 0;           ///< steps before it, marks and declarations not counted
  std::vector<int> after;  ///< earlier steps it waits for: whose cells conflict with its own
};

/// A set of peers: who sends, by which steps, and which steps receive.  There are as many of each.
struct BoundSet {
  int number = 0, declared = 0;      ///< declared: the step
  std::vector<Rank> members;         ///< in the order of the declaration
  std::vector<int> sends, receives;  ///< steps: the members', and the receiver's in its program's order
};

struct BoundProgram {
  Program steps;
  std::vector<MatchedStep> bound;  ///< one a step
  Cells cells;
  std::vector<BoundSet> sets;  ///< that this rank receives from

  /// The set of that number, or null.
  const BoundSet* find_set(int number) const {
    for (const BoundSet& set : sets)
      if (set.number == number) return &set;
    return nullptr;
  }
};

/// Runs every rank's schedule to its end and binds it.  Throws Refuted where a step names what does not exist, writes
/// the input, overlaps itself, or where a message lacks an end or its ends differ in size.
std::vector<BoundProgram> bind(const Problem& problem, const std::function<Schedule(Context)>& schedule);

}  // namespace tutti
