#pragma once
/// The phase between nodes of one call: one collective among the leaders of each lane, by a flat algorithm or by the
/// MPI library's own, unmodified.
#include "core/schedule.hpp"
#include "runtime/datatype/combiner.hpp"
#include "runtime/hierarchy/hierarchy.hpp"
#include "runtime/plan/staging.hpp"

namespace tutti::runtime {

/// Leaders with a communicator of their own, for the MPI library's collectives.
struct LaneComm {
  MPI_Comm comm = MPI_COMM_NULL;
  Suspend suspend;  ///< where calls run in tasks: then nothing here blocks
};

class InterNodePhase {
 public:
  /// On every rank, also those that lead no lane: all number the call, and make the lanes' communicators.
  InterNodePhase(const Operation& call, Hierarchy& hierarchy, const Choice& choice);

  const Formation& formation() const { return formation_; }
  /// The member that leads a crew: the root leads its own, so that its data needs no further copy; in lanes of the MPI
  /// library's own collectives always the first member, because these are communicators.
  int leader(int node, int crew) const;
  bool root_leads() const { return root_leads_; }

  /// On the leaders of this rank's lane, all at the same time: the call's collective, each node standing for a rank.
  /// The frame is as schedules expect it (core/schedule.hpp).  As often as a call has pieces: a message of a later one
  /// cannot overtake an earlier one's.  `which`: the call's collective, but for scan, which needs an exscan.
  void run(Collective which, const Frame& frame, int root_node, Combiner* combiner);
  /// On any ranks: a schedule in which these have their own numbers, on the frame of the whole call.
  void run_among_ranks(const Frame& frame, Schedule schedule);

 private:
  void by_messages(Collective which, const Frame& frame, int root_node, Combiner* combiner);

  const Operation& call_;
  Hierarchy& hierarchy_;
  const Choice& choice_;
  const Formation& formation_;
  const bool root_leads_;
  const int crew_;  ///< of this rank
  int tag_ = 0;
  LaneComm lane_;
};

/// The MPI library's own collective on a frame.  Throws MpiError.
void run_natively(Collective which, const Operation& call, const LaneComm& lane, const Frame& frame, int root_node);
/// Whether int counts suffice for it: the same on all leaders of a lane.  Where none knows the others' blocks, the
/// library's large-count form serves; without one the leaders agree in one short call.
bool fits_natively(const Operation& call, const Frame& frame, const LaneComm& lane, int ranks);

}  // namespace tutti::runtime
