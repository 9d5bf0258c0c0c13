#include "analysis/memory.hpp"

#include <algorithm>

namespace tutti {
namespace {

/// Elements [from, from + length) of a piece.
Piece cut(const Piece& piece, std::int64_t from, std::int64_t length) {
  return {length, piece.written() ? piece.element + from : 0, piece.ranks};
}

}  // namespace

void append(Pieces& pieces, const Piece& piece) {
  if (piece.length == 0) return;
  if (!pieces.empty()) {
    Piece& last = pieces.back();
    if (last.ranks == piece.ranks && (!piece.written() || last.element + last.length == piece.element)) {
      last.length += piece.length;
      return;
    }
  }
  pieces.push_back(piece);
}

Memory::Memory(std::int64_t cells) : pieces_{{cells, 0, -1}}, begins_{0} {}

/// The piece that the cell lies in.
std::size_t Memory::index(std::int64_t cell) const {
  return static_cast<std::size_t>(std::upper_bound(begins_.begin(), begins_.end(), cell) - begins_.begin()) - 1;
}

void Memory::read(const Run& run, Pieces& into) const {
  if (run.length() == 0) return;
  std::int64_t cell = run.begin;
  for (std::size_t i = index(cell); cell < run.end; ++i) {
    const std::int64_t end = std::min(run.end, begins_[i] + pieces_[i].length);
    append(into, cut(pieces_[i], cell - begins_[i], end - cell));
    cell = end;
  }
}

void Memory::write(const Run& run, std::span<const Piece> pieces) {
  if (run.length() == 0) return;
  const std::size_t first = index(run.begin), last = index(run.end - 1);
  replacing_.clear();
  append(replacing_, cut(pieces_[first], 0, run.begin - begins_[first]));
  for (const Piece& piece : pieces) append(replacing_, piece);
  const std::int64_t kept = begins_[last] + pieces_[last].length - run.end;
  append(replacing_, cut(pieces_[last], pieces_[last].length - kept, kept));

  std::int64_t begin = begins_[first];
  const std::size_t was = last + 1 - first, is = replacing_.size();
  const auto at = [first](auto& row) { return row.begin() + static_cast<std::ptrdiff_t>(first); };
  const auto change = static_cast<std::ptrdiff_t>(is) - static_cast<std::ptrdiff_t>(was);
  if (change > 0) {
    pieces_.insert(at(pieces_), static_cast<std::size_t>(change), Piece{});
    begins_.insert(at(begins_), static_cast<std::size_t>(change), 0);
  } else {
    pieces_.erase(at(pieces_), at(pieces_) - change);
    begins_.erase(at(begins_), at(begins_) - change);
  }
  for (std::size_t i = 0; i < is; ++i) {
    pieces_[first + i] = replacing_[i];
    begins_[first + i] = begin;
    begin += replacing_[i].length;
  }
}

}  // namespace tutti
