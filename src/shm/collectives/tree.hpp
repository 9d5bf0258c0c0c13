#pragma once
/// Collectives on a large node, along its domains (topology.hpp): a cache line fetched across a border costs several
/// times what it costs inside.  Each domain has a leader, its first member.  Followers pass their data to their leader
/// and read the result from it; leaders exchange.  So a line crosses each border once; without a tree every member
/// fetches it.
///
/// Only data moves along trees: reductions collect all contributions and then combine them as without a tree.  So they
/// give the same bits and keep rank order, for every operator and every placement.
///
/// Turns (slots.hpp).  Each turn is left by every member, at the end of the call or after its chunk.  The first turn of
/// a call whose result depends on everybody is met as well: nobody gets the result before each member has posted that
/// turn or a later one of the call, and so has left all turns before.  Leaders announce this before they write again,
/// so that no member reads all members' progress.  Nobody writes more than two turns before it leaves or meets one.
/// Waits form no cycle: followers wait for their leader, leaders for posts that followers and other leaders make before
/// they wait themselves.
#include <cstddef>
#include <span>
#include <vector>

#include "shm/collectives/collectives.hpp"

namespace tutti::shm {

class Tree {
 public:
  /// The domain of each member, by any numbers.
  Tree(const std::vector<int>& domains, int me);

  bool leads() const { return leads(me_); }
  bool leads(int member) const { return leader_of(member) == member; }
  int leader() const { return leader_of(me_); }
  int leader_of(int member) const { return leader_[static_cast<std::size_t>(member)]; }
  /// The other members of my domain, if I lead it.
  std::span<const int> followers() const { return followers_; }
  std::span<const int> leaders() const { return leaders_; }
  /// In a bcast the root replaces its domain's leader: whom I read from, and whether others read from me.
  int source(int root) const { return is_near(root) || leads() ? root : leader(); }
  bool forwards(int root) const { return !is_near(root) && !followers_.empty(); }
  /// Members in a row of one domain: `count` from `first` on.
  struct Row {
    int first, count, leader;
  };
  std::span<const Row> rows() const { return rows_; }

 private:
  bool is_near(int root) const { return leader() == leader_of(root); }

  int me_;
  std::vector<int> leader_, followers_, leaders_;
  std::vector<Row> rows_;
};

void barrier(Slots& slots, const Tree& tree);

/// Chunk by chunk: leaders forward each chunk once they have read it.
void bcast(Slots& slots, const Tree& tree, const Broadcast& work, Turn first);

// Where one slot holds every member's bytes together.

/// Equal blocks back to back.
void allgather(Slots& slots, const Tree& tree, const Blocks& blocks, const OwnBlock& own);
void reduce(Slots& slots, const Tree& tree, const Reduction& work, int reader);

}  // namespace tutti::shm
