#pragma once
/// What cells hold in a symbolic run, in pieces, so that the number of elements does not matter.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/cells.hpp"
#include "analysis/expressions.hpp"

namespace tutti {

/// Cells one after the other that hold elements one after the other, with contributions of the same ranks.
struct Piece {
  std::int64_t length = 0;
  std::int64_t element = 0;  ///< the first one's number among the elements of all owners
  Expression ranks = -1;     ///< negative: never written

  bool written() const { return ranks >= 0; }
};
using Pieces = std::vector<Piece>;

/// Appends `piece`, as a part of the last one where it goes on with it.
void append(Pieces& pieces, const Piece& piece);

/// Calls `visit(a, b)` for pieces of one length each that both lists, of the same length together, are made of.
template <class Visit>
void each_pair(std::span<const Piece> left, std::span<const Piece> right, const Visit& visit) {
  std::int64_t left_done = 0, right_done = 0;
  const auto rest = [](const Piece& of, std::int64_t done, std::int64_t length) {
    return Piece{length, of.written() ? of.element + done : 0, of.ranks};
  };
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    const std::int64_t length = std::min(left[i].length - left_done, right[j].length - right_done);
    visit(rest(left[i], left_done, length), rest(right[j], right_done, length));
    if ((left_done += length) == left[i].length) left_done = 0, ++i;
    if ((right_done += length) == right[j].length) right_done = 0, ++j;
  }
}

/// A row of cells; at first nothing is written.
class Memory {
 public:
  explicit Memory(std::int64_t cells);
  /// Appends what the run holds.
  void read(const Run& run, Pieces& into) const;
  /// The run holds these from now on; they are as long.
  void write(const Run& run, std::span<const Piece> pieces);

 private:
  std::size_t index(std::int64_t cell) const;
  Pieces pieces_;
  std::vector<std::int64_t> begins_;  ///< of each piece
  Pieces replacing_;                  ///< of `write`, kept for its room
};

}  // namespace tutti
