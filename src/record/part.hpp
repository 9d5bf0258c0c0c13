#pragma once
/// One rank's part of a recording's file.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/book.hpp"
#include "record/sites.hpp"

namespace tutti::record {

/// A communicator as it was at its first recorded call.
struct Communicator {
  int size = 1, rank = 0;
  bool inter = false;
  std::uint64_t members = 0;  ///< a hash of the ranks in MPI_COMM_WORLD
  int ordinal = 0;            ///< among the communicators of the same members, by their first calls
  std::string ranks;          ///< on its rank 0 alone: "0-7", "0,2,4-7"
};

/// A moment on both clocks.
struct Anchor {
  std::uint64_t ticks = 0, nanoseconds = 0;
};

/// What a rank noted, from `start` to `end`.
struct Noted {
  const Book& book;
  const Sites& sites;
  const std::vector<Communicator>& communicators;
  const std::map<std::uint64_t, std::string>&types, &operators;  ///< names of the handles that keys hold
  Anchor start, end;
};

/// The process that noted it.
struct Witness {
  int rank = 0, ranks = 1;
  std::string library;  ///< the MPI, in its own words
  bool served = true;   ///< by tutti
};

/// The length of a JSON object (64 bits), that, and the arrays that it announces: docs/recording.md.
std::string part_of_file(const Noted& noted, const Witness& witness);

}  // namespace tutti::record
