#pragma once
/// Before the first step, and after the last: converts a call to the form that schedules expect (core/contract.hpp) and
/// its results back to the user's.
#include <optional>

#include "core/layout.hpp"
#include "runtime/arena.hpp"
#include "runtime/datatype/combiner.hpp"
#include "runtime/datatype/region.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

/// The memory of one call's steps.  Elements are bytes of packed data where data only moves, and packed elements of the
/// call's datatype where it is reduced.
struct Frame {
  Layouts layouts{Layout::regular(1, 0), Layout::regular(1, 0)};
  std::byte* input = nullptr;   ///< where offset 0 of the input's layout lies (or would lie)
  std::byte* output = nullptr;  ///< likewise
  std::int64_t unit = 1;        ///< bytes of an element
};

class Staging {
 public:
  /// Copies the rank's own contribution to where the schedule expects it.  `comm` is for errors and packing. Throws
  /// MpiError, std::bad_alloc.
  Staging(const Operation& call, Arena& arena, MPI_Comm comm, Rank me, int size,
          shm::InstructionSet instructions = shm::InstructionSet::base);
  Staging(const Staging&) = delete;

  const Frame& frame() const { return frame_; }
  Combiner* combiner() { return combiner_ ? &*combiner_ : nullptr; }
  /// Only the first so many bytes of the received block are new: the rest stays as the user has it.
  void keep_from(std::int64_t bytes);
  /// After the last step: copies staged results to the user's buffer.  Throws MpiError, also where the rank's own block
  /// had no room; other ranks still get theirs.
  void finish();

 private:
  bool here(Ranks ranks) const { return among(ranks, me_, call_.root); }
  void prepare_moves();
  void take_input(bool has_output);
  void hold_own();
  std::byte* alone(std::byte* start, std::int64_t bytes);
  /// The combiner, and what an element is.  Elements without bytes are none.
  Typed combine();
  void prepare_reduction();
  void prepare_reduce_scatter();
  /// The output is the receive side, direct or staged; what is staged is unpacked in the end, but for one owner.
  Region::Packed& receive_into(int owners, int but = -1);
  void move_own(const Region& from, Rank block, std::byte* into, std::int64_t room);
  const Operation& call_;
  const Contract& rules_;
  Arena& arena_;
  MPI_Comm comm_;
  Rank me_;
  int size_;
  shm::InstructionSet instructions_;
  Frame frame_;
  std::optional<Combiner> combiner_;
  Side own_;                      ///< reduce_scatter: this rank's block as a side
  std::optional<Region> result_;  ///< what the output is in the user's terms
  Region::Packed packed_;         ///< and as packed bytes
  int but_ = -1;                  ///< owner that is not unpacked
  bool own_fits_ = true;          ///< the rank's block for itself, or there is none
};

}  // namespace tutti::runtime
