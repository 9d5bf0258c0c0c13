#pragma once
/// The calls that programs are made of, each with a check of what it gave.
#include <functional>
#include <string>
#include <vector>

#include "node/team.hpp"

namespace tutti::node::interleaving {

struct Call {
  std::string name;
  /// Makes the call as number `index` of the program; whether the result is right.
  std::function<bool(Team&, int index)> run;
  bool brief;  ///< one turn, or few words: for the longer programs
};

/// What a team of `size` can be asked to do, roots and lengths in the name.
std::vector<Call> calls(int size);

/// Slots and lanes as small as they can be, and reductions of more than 560 bytes shared where there are three members.
TeamOptions smallest(int size);

}  // namespace tutti::node::interleaving
