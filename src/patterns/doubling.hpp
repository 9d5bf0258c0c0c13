#pragma once
/// A step of recursive doubling for any number of ranks: groups of M = 1, 2, 4, … ranks, aligned, meet the neighbouring
/// group, rank by rank.  Where the upper group is incomplete, some of the lower group have no partner; those that have
/// one are served, and pass what they got on down a binomial tree within the group ("subtree correction", at most
/// 2 lg p rounds in all).  Thakur & Gropp 2002, 4.2.
#include <algorithm>

#include "core/block.hpp"

namespace tutti {

struct DoublingStep {
  int size;
  int group;  ///< M
  Rank me;

  constexpr Rank partner() const { return me ^ group; }
  constexpr bool meets() const { return partner() < size; }
  /// First ranks of both groups together, of the own one, and of the neighbouring one.
  constexpr Rank both() const { return me & ~(2 * group - 1); }
  constexpr Rank own() const { return me & ~(group - 1); }
  constexpr Rank other() const { return own() ^ group; }
  /// How many of the group that begins there exist.
  constexpr int members(Rank first) const { return std::min(group, size - first); }

  /// This is a lower group, and the upper one is incomplete.
  constexpr bool corrected() const { return other() > own() && other() < size && size < other() + group; }
  /// In a corrected group, with distances M/2, M/4, …, 1: the rank so far on is passed what this one got, or this one
  /// gets what the rank so far back has.
  constexpr bool passes_on(int distance) const {
    return place(distance) < std::min(distance, served()) && place(distance) + distance >= served();
  }
  constexpr bool gets(int distance) const {
    return place(distance) >= std::max(distance, served()) && place(distance) - distance < served();
  }

 private:
  constexpr int served() const { return size - other(); }
  constexpr int place(int distance) const { return (me - own()) % (2 * distance); }
};

}  // namespace tutti
