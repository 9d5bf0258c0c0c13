#pragma once
/// Calls to try a group with, each with a check of what it gave: what the explorer and the stress run are made of.
#include <functional>
#include <string>
#include <vector>

#include "shm/group.hpp"

namespace tutti::shm::test {

struct SampleCall {
  std::string name;
  /// Makes the call as number `index` of the program; whether the result is right.
  std::function<bool(ShmGroup&, int index)> run;
  bool brief;  ///< one turn, or few words: for the longer programs
};

/// What a group of `size` can be asked to do, roots and lengths in the name.
std::vector<SampleCall> sample_calls(int size);

/// Slots and rings as small as they can be, and reductions of more than 560 bytes shared where there are three members,
/// and scans of 320 go through them.
ShmGroupOptions smallest(int size);

/// So many bytes at once the kernel may refuse to copy; no other copies in these calls are as long.
inline constexpr std::size_t refusable_bytes = 21 * sizeof(std::uint64_t);

}  // namespace tutti::shm::test
