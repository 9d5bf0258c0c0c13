#pragma once
/// One rank's memory as a row of cells, an element each, for interpreters that run all ranks: where the binder's ranges
/// lie, and whether a step may name what it names.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/problem.hpp"
#include "core/binder.hpp"

namespace tutti {

/// Cells [begin, end).
struct Run {
  std::int64_t begin = 0, end = 0;
  std::int64_t length() const { return end - begin; }
};

/// Why blocks name no cells of this rank: one sentence.
struct Misuse {
  std::string why;
};

class Cells {
 public:
  Cells(const Problem& problem, Rank me);
  Cells(Cells&&) = default;

  /// Binds the next step of the program; areas get their cells.  The step must have passed the checks below.
  void bind(const Step& step, BoundStep& bound, std::vector<Range>& ranges);
  /// Throws Misuse: the area is declared twice, or of a size that this rank does not know.
  void check(const Area& area) const;
  /// Throws Misuse: there are no such blocks here.
  void check(const Blocks& what) const;
  /// The cells of a range; all of a learned position; a token is one cell.  Throws Misuse: outside its area.
  Run cells_of(const Range& range) const;
  /// Where the size of the range's learned position is kept; nothing unless it is one.
  Run size_of(const Range& range) const;

  /// Where blocks lie that are one run of cells.  Throws Misuse.
  Run find(const Blocks& what) const;
  /// The owner's block in the output, in the input.  The owner must exist.
  Run output(int owner) const { return find(tutti::output(owner)); }
  Run input(int owner) const { return find(tutti::input(owner)); }
  /// Cells so far; areas that are declared later follow.
  std::int64_t size() const { return size_; }
  bool is_input(const Run& run) const { return run.length() > 0 && run.begin < input_end_; }
  /// Has this rank that owner's block in that buffer (core/contract.hpp)?
  bool exists(Buffer buffer, int owner) const;
  int owners() const { return owners_; }
  /// Which owners the blocks are of.  They must exist here, or lie in an anchored area.
  std::vector<int> owners(const Blocks& what) const;
  bool learned(const Blocks& what) const;

 private:
  /// A space of the binder's.
  struct Home {
    std::int64_t base = 0, length = 0;
    std::int64_t size = -1;  ///< learned positions: the cell of its size
  };
  /// Sizes of the owners' blocks, and where they lie: one after the other, with a gap in between where a program may
  /// leave some.
  struct Row {
    std::vector<std::int64_t> sizes, starts;
    std::int64_t total = 0;
    bool regular = false;

    Layout layout() const;
  };
  template <class Elements>
  static Row row_of(const Problem& problem, int owners, Elements&& elements);
  void settle(const Area& area);
  /// The declared area that they lie in, or null.
  const Area* area_of(const Blocks& what) const;
  bool known_sizes(int owner) const;

  Collective collective_;
  int ranks_, owners_;
  Rank me_, root_;
  Row input_, output_;  ///< the binder refers to them
  Binder binder_;
  std::int64_t input_end_ = 0, size_ = 0;
  std::vector<Home> homes_;  ///< by space
  std::map<int, Area> areas_;
};

}  // namespace tutti
