#pragma once
/// Values of a symbolic run: which contributions have been combined, and in which bracketing.
#include <cstdint>
#include <map>
#include <span>
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
  /// The turn-th message to arrive in a set of rank `at`, whose messages hold `brought`, in an unknown order: a value
  /// of its own, which is one of `brought`, each turn a different one.  The combination of all turns is that of all of
  /// `brought`, in any order; the combination of some of them is no known contribution.
  Expression arrival(Rank at, int set, int turn, const std::vector<Expression>& brought);
  /// left (+) right.  Negative where that is wrong; then `complaint()` says why.
  Expression combine(Expression left, Expression right);
  /// The union of both, for tokens: it cannot fail.
  Expression join(Expression left, Expression right);
  /// Exactly the contributions of the ranks [first, end), whatever the order of arrivals.
  bool is(Expression value, Rank first, Rank end) const;
  /// `ranks 0..3`, `ranks 0, 2`.
  std::string to_text(Expression value) const;
  /// Why the last `combine` failed; empty without a failure.
  const std::string& complaint() const { return complaint_; }

 private:
  using Set = std::vector<std::uint64_t>;
  struct Node {
    Set ranks;
    int count, first, end;   ///< how many, and the bounds of the run if it is one
    std::vector<int> turns;  ///< that it has been made of, while others of their deals are missing
  };
  /// The messages of a set, in an unknown order.
  struct Deal {
    Rank at = 0;
    std::vector<Expression> brought;
    int first = 0;                   ///< its first turn's number among those of all deals
    std::vector<Expression> values;  ///< of its turns
  };
  Expression keep(Node node);
  /// Makes one of both; false where `once` and something would count twice.
  bool unite(Node& node, const Node& other, bool once);
  /// Puts what they bring for the turns of deals that are complete.
  bool resolve(Node& node, bool once);
  const Deal& deal_of(int turn) const;
  static std::string ranks_text(const Node& node);
  std::string turns_text(const Node& node) const;

  bool ordered_;
  std::vector<Node> nodes_;
  std::vector<Deal> deals_;
  std::map<std::vector<Expression>, std::size_t> known_deals_;  ///< by rank, set and what is brought
  int turns_ = 0;
  std::unordered_map<std::uint64_t, Expression> combined_, joined_;
  std::string complaint_;
};

}  // namespace tutti
