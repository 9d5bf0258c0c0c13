#pragma once
/// The two sides of a call with large counts, in int counts.
#include <optional>
#include <vector>

#include "preload/large_count/large_count_types.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::preload {

/// The communicator as a call sees it.  Throws MpiError.
struct CallGroup {
  explicit CallGroup(MPI_Comm comm);
  /// Whether this rank's arguments of that side count.  Between two groups the root names itself by MPI_ROOT, and in
  /// its group nobody else takes part.  What bcast has is one side for all.
  bool has(const SideContract& side, const runtime::Operation& call) const;
  bool between_groups = false;
  int rank = 0, size = 0;  ///< size: of the group that counts are given for
};

/// MPI_ERR_COUNT, raised.
int cannot(const runtime::Operation& call);
/// In a handler that catches everything: the error code for the caller, raised.
int failed(const runtime::Operation& call) noexcept;

/// alltoallw's displacements are bytes, and every peer has its own type, which can hold what does not fit.
struct IntPeers {
  IntPeers(const runtime::Side& side, int size);
  std::vector<int> counts, displacements;
  std::vector<MPI_Datatype> types;
  std::vector<OwnType> own;
};

/// One side in int counts: the elements themselves, or other types that hold them.  What the rank does not contribute
/// to may be anything: it is passed on, but not looked at.
class IntSide {
 public:
  IntSide(const runtime::Side& side, const SideContract& rules, bool significant, int size);
  IntSide(const IntSide&) = delete;
  bool possible() const { return !arrays_ || arrays_->possible(); }
  const runtime::Side& side() const { return side_; }
  /// Entries of its arrays.
  int owners() const { return owners_; }
  /// Whether types of ours stand in an array.
  bool own_peers() const { return peers_ && !peers_->own.empty(); }

 private:
  void put(const int* counts, const int* displacements) {
    side_.counts = CountView(counts), side_.displacements = CountView(displacements);
  }
  runtime::Side side_;
  int owners_;
  std::optional<Elements> elements_;
  std::optional<IntArrays> arrays_;
  std::optional<IntPeers> peers_;
};

/// Of a collective that moves data.
class IntSides {
 public:
  IntSides(const runtime::Operation& call, const CallGroup& group);
  bool possible() const { return send_.possible() && receive_.possible(); }
  const runtime::Side& send() const { return send_.side(); }
  const runtime::Side& receive() const { return receive_.side(); }
  const IntSide& sending() const { return send_; }
  const IntSide& receiving() const { return receive_; }

 private:
  IntSide send_, receive_;
};

}  // namespace tutti::preload
