#pragma once
/// Blocks as ranges of elements: the layouts of a call, and the scratch that its schedule declares.
///
/// Everything a step can touch is a *space* with elements 0, 1, ...: one of tokens, the input, the output, and one for
/// each declared area; in a learned area one for each position, of a size that is not known yet.  Two steps conflict
/// where their ranges share elements of one space.
#include <cstdint>
#include <vector>

#include "core/layout.hpp"
#include "core/step.hpp"

namespace tutti {

struct Range {
  std::int32_t space = 0;
  std::int64_t first = 0, count = 0;  ///< elements (tokens)
};

inline constexpr std::int32_t token_space = 0, input_space = 1, output_space = 2, first_area_space = 3;
inline constexpr std::int64_t unknown = -1;  ///< elements

/// Sizes of a layout's owners, with sums in constant time.
class Rows {
 public:
  explicit Rows(const Layout& layout);
  /// Elements of positions [0, end), position i being as large as owner (i + rotate) mod owners; end <= owners.
  std::int64_t before(int end, int rotate = 0) const;
  std::int64_t size(int owner) const { return layout_.size(owner); }
  int owners() const { return layout_.owners(); }
  /// Elements of the largest run of `count` owners.
  std::int64_t largest(int count) const;
  /// Appends where the blocks lie, in the user's displacements.
  void append(const Blocks& what, std::int32_t space, std::vector<Range>& ranges) const;
  /// The same, a range an owner, empty ones too.
  void append_each(const Blocks& what, std::int32_t space, std::vector<Range>& ranges) const;

 private:
  Layout layout_;
  std::vector<std::int64_t> sums_;  ///< irregular layouts: owners + 1 of them
};

class Spaces {
 public:
  explicit Spaces(const Layouts& layouts) : input_(layouts.input), output_(layouts.output) {}
  /// Declares scratch: a new space, or as many as a learned area has positions.
  void declare(const Area& area);
  /// Elements of the spaces declared so far, in the order of their declarations; `unknown` for learned positions.
  const std::vector<std::int64_t>& areas() const { return areas_; }
  bool learned(const Blocks& what) const;
  /// Appends the ranges of the blocks, adjacent ones as one; returns their elements (tokens: 0).  A learned position is
  /// a range of one element, which stands for all.
  std::int64_t append(const Blocks& what, std::vector<Range>& ranges) const;
  /// The same for a sized message: a range for each owner.
  std::int64_t append_each(const Blocks& what, std::vector<Range>& ranges) const;

 private:
  struct Declared {
    Area area;
    std::int32_t space = 0;
    std::int64_t start = 0;  ///< anchored: elements before it in the row of all positions
  };
  std::int64_t elements(Declared& declared) const;
  std::int64_t append_scratch(const Blocks& what, std::vector<Range>& ranges) const;
  const Rows& like(const Area& area) const { return area.like == Buffer::input ? input_ : output_; }
  Rows input_, output_;
  std::vector<Declared> declared_;
  std::vector<std::int64_t> areas_;
};

/// Appends, growing the last range where the new one continues it.  Empty ranges vanish.
inline void append_range(std::vector<Range>& ranges, std::size_t since, const Range& range) {
  if (range.count == 0) return;
  if (ranges.size() > since && ranges.back().space == range.space &&
      ranges.back().first + ranges.back().count == range.first)
    ranges.back().count += range.count;
  else
    ranges.push_back(range);
}

}  // namespace tutti
