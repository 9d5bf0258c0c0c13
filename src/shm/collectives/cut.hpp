#pragma once
/// How a reduce_scatter's blocks are cut.
#include <algorithm>
#include <cstddef>

#include "shm/sync/depth.hpp"

namespace tutti::shm {

/// What a turn carries: up to `each` elements of each of `together` blocks, which follow one another.  A *pass* is the
/// turns that carry a chunk of every block.
struct Cut {
  /// Turns that a member posts before it has combined the first (reduction.cpp).
  static constexpr std::size_t ahead = slots_depth / 2;
  std::size_t together, each;

  /// Of blocks of at most `longest` bytes, more than none.  A pass is no longer than a member posts ahead.  Short
  /// blocks share a turn; of long ones as much as a slot holds travels in one piece: pieces of 2 KiB, from eight places
  /// of the user's memory in turn, took up to 1.5 times as long.  `each` of 0: a slot has no place for an element of
  /// each.
  Cut(std::size_t slot, std::size_t members, std::size_t longest, std::size_t unit)
      : together(std::clamp(slot / longest, (members + ahead - 1) / ahead, members)), each(slot / (unit * together)) {}
};

}  // namespace tutti::shm
