#pragma once
/// Communicators made and freed while others live, whose handles the next ones get: calls from the first one on, errors
/// and crossed messages among them, and attributes whose delete callbacks make collectives on the dying communicator.
#include <string>
#include <vector>

#include "crossed.hpp"

namespace tutti::fuzz {

/// One thing that all ranks do.
struct Event {
  enum class Kind { make, attribute, call, cross, free } kind;
  int comm;  ///< which of the life's communicators
  int what;  ///< how it is made, which attribute, or the call's turn
};

struct Life {
  int number = 0;
  std::vector<Event> events;
};

Life draw_life(const Range& range, int number);
std::string describe(const Life& life, const ShmGroup& group);
/// Lives twice, by the ranks' spellings and by the library's functions.  Empty, or the first difference.
std::string live(const Life& life, const Range& range, const ShmGroup& group);

}  // namespace tutti::fuzz
