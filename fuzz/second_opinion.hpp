#pragma once
/// Differences that the MPI library itself may have made: each is tested again when all cases are complete.
///
/// Libraries have races: a bcast of Intel MPI 2021.18 of 34 KiB, with more ranks than cores, gives some ranks bytes of
/// the call that follows.  So the library is asked again for such a result, several times, with all ranks waiting for
/// one another after each.  Where it then says what tutti said, it has contradicted itself and tutti is right.  A call
/// that tutti left to the library is made again both ways.
#include <string>
#include <vector>

#include "call.hpp"

namespace tutti::fuzz {

/// A rank's result that differed from the library's.
struct Suspect {
  Case which;
  Buffers tested;
  bool left;         ///< to the library, so that both results were its own
  std::string told;  ///< what to print where it stands
};

class SecondOpinion {
 public:
  void add(Suspect suspect) { suspects_.push_back(std::move(suspect)); }

  /// Collective over the world, with communicators made anew.  Leaves those that the library does not confirm;
  /// returns how many it did, on this rank.
  long ask(const std::vector<ShmGroup>& groups, const Range& range, int cases);

  const std::vector<Suspect>& standing() const { return suspects_; }

 private:
  bool confirmed(const Case& which, const ShmGroup& group);

  std::vector<Suspect> suspects_;
};

}  // namespace tutti::fuzz
