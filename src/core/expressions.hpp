#pragma once
/// Values of a symbolic run: which contributions have been combined, and in which bracketing.
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/block.hpp"

namespace tutti {

/// A bracketing of contributions of ranks, interned: equal numbers mean equal operations on equal operands, hence
/// equal bits.
using Expression = std::int32_t;

class Expressions {
 public:
  /// `ordered`: operands must be runs of ranks that meet, the lower ranks on the left.
  Expressions(int ranks, bool ordered);

  /// The contribution of one rank.
  Expression of(Rank rank) const { return rank; }
  /// left (+) right.  Negative where that is wrong; then `complaint()` says why.
  Expression combine(Expression left, Expression right);
  /// What is known by either, for tokens: nothing can be wrong.
  Expression join(Expression left, Expression right);
  /// Exactly the contributions of the ranks [first, end).
  bool is(Expression value, Rank first, Rank end) const;
  /// `ranks 0..3`, `ranks 0, 2`.
  std::string to_text(Expression value) const;
  /// Why the last `combine` was wrong; empty as long as all is well.
  const std::string& complaint() const { return complaint_; }

 private:
  using Set = std::vector<std::uint64_t>;
  struct Node {
    Set ranks;
    int count, first, end;  ///< how many, and the bounds of the run if it is one
  };
  Expression intern(Expression left, Expression right, std::unordered_map<std::uint64_t, Expression>& known);

  bool ordered_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, Expression> combined_, joined_;
  std::string complaint_;
};

}  // namespace tutti
