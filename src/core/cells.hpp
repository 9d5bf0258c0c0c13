#pragma once
/// One rank's memory as a row of cells, an element each, for interpreters that run all ranks: where its blocks lie.
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/problem.hpp"
#include "core/step.hpp"

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

  /// Makes room for an area.  Throws Misuse: declared twice, or of a size that this rank does not know.
  void declare(const Area& area);
  /// Where the blocks lie; a token is one cell.  Throws Misuse: no such block here, or outside its area.
  Run find(const Blocks& what) const;
  /// Cells so far; areas that are declared later follow.
  std::int64_t size() const { return size_; }
  bool is_input(const Run& run) const { return run.length() > 0 && run.begin < input_end_; }
  /// The owner's block in the output.  The owner must exist.
  Run output(int owner) const { return find(tutti::output(owner)); }
  Run input(int owner) const { return find(tutti::input(owner)); }
  /// Has this rank that owner's block in that buffer (schedule.hpp, "Before the first step")?
  bool exists(Buffer buffer, int owner) const;
  int owners() const { return owners_; }
  /// Which owners the blocks are of.  They must exist here, or lie in an anchored area.
  std::vector<int> owners(const Blocks& what) const;
  /// Where the sizes of the blocks are kept, a cell a position: nothing unless they lie in a learned area.
  Run sizes(const Blocks& what) const;

 private:
  /// Blocks one after the other: place of block i, and of the end.
  using Row = std::vector<std::int64_t>;
  struct Slot {
    Area area;
    std::int64_t sizes = 0;                         ///< learned: the first position's
    std::int64_t base = 0, length = 0, begins = 0;  ///< begins: where the area starts in the row
    Row row;                                        ///< of positions
  };
  Row row_of(Buffer like, int rotate) const;
  bool known_sizes(int owner) const;
  static Run within(const Row& row, const Blocks& what);
  Run find_scratch(const Blocks& what) const;

  Collective collective_;
  int ranks_, owners_;
  Rank me_, root_;
  Row input_, output_;
  std::int64_t input_end_ = 0, output_end_ = 0, tokens_end_ = 0, size_ = 0;
  std::map<int, Slot> slots_;
};

}  // namespace tutti
