#pragma once
/// Ranks in groups, and a collective in phases: inside the groups, between their leaders, inside the groups again.
/// Hasanov, Quintin & Lastovetsky give it for the broadcast ("topology-oblivious"); every other collective has its own
/// phases here.
#include "algorithms/composite.hpp"
#include "patterns/groups.hpp"

namespace tutti {

/// What the parts of a composition are for, by position.
enum Phase : int { before, between, after };

/// A rank's place in groups of consecutive ranks, whose sizes differ by one at most.
class Grouping {
 public:
  /// The root leads its own group, the first rank any other.  `led_by_last`: the last rank leads, where there is no
  /// root.
  Grouping(const Composition& composition, const Context& context, bool led_by_last = false);

  bool leads() const { return me_ == leader(group_); }
  /// In a group of its own.
  bool alone() const { return size() == 1; }
  int group() const { return group_; }
  int groups() const { return groups_.count; }
  int size() const { return groups_.size(group_); }
  Rank first() const { return groups_.first(group_); }
  /// Whose group is the root's.
  bool with_root() const { return group_ == groups_.of(root_); }
  /// The first rank of each group, and the number of ranks.
  std::vector<int> starts() const;
  /// The ranks of this group, and the next.
  std::vector<int> members() const;

  /// That part of the composition among the ranks of this group, rooted at its leader.
  Schedule inside(Phase phase) const;
  /// The part between the leaders, rooted at the root's group.
  Schedule among_leaders() const;

 private:
  Rank leader(int group) const;
  Schedule part(Phase phase, Context context) const;
  const Composition& composition_;
  Parameters parameters_;
  Groups groups_;
  Rank me_, root_;
  int group_;
  bool led_by_last_;
};

/// The number of groups that a schedule has: what was asked for, and one a rank at most; the root of the number of
/// ranks where nothing was asked for, which is best where the cost grows with the number of ranks (Hasanov et
/// al., 3.1).
int number_of_groups(int asked, int ranks);

// Composers, one for each collective that has phases; the parts that each one needs stand in grouped.cpp.
Schedule barrier_in_groups(const Composition& composition, Context context);
Schedule bcast_in_groups(const Composition& composition, Context context);
Schedule gather_in_groups(const Composition& composition, Context context);
Schedule scatter_in_groups(const Composition& composition, Context context);
Schedule allgather_in_groups(const Composition& composition, Context context);
Schedule reduce_in_groups(const Composition& composition, Context context);
Schedule allreduce_in_groups(const Composition& composition, Context context);
Schedule reduce_scatter_in_groups(const Composition& composition, Context context);
Schedule scan_in_groups(const Composition& composition, Context context);
Schedule exscan_in_groups(const Composition& composition, Context context);

}  // namespace tutti
