#pragma once
/// Plans: everything known of a call except its buffers.
///
/// `bind` computes everything that does not depend on the data: who serves the call, which sides this rank has, how
/// many bytes where, what combines them.  `run` runs the call, on the node engine, over messages or over several nodes.
/// Programs repeat their calls, and handles of the MPI's own types and operators mean the same for ever: plans of such
/// calls are kept (call_plans.hpp), and `matches` tells whether a later call differs in its data only.  Each rank keeps
/// its own plans; the result does not depend on them.
///
/// Bound programs of schedules are not part of a plan, but in a cache below (wire/schedule_plan.hpp): they count
/// elements, so that one serves many plans.
#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/communicator/engine.hpp"
#include "runtime/hierarchy/hierarchy.hpp"
#include "runtime/plan/operation.hpp"
#include "runtime/wire/private_comm.hpp"
#include "selection/choice.hpp"
#include "selection/contest.hpp"

namespace tutti::runtime {

/// This rank among those of a communicator.
struct Member {
  Rank rank = 0;
  int size = 1;
  shm::InstructionSet instructions = shm::InstructionSet::base;  ///< of all ranks' kernels
  const shm::ShmGroup* group = nullptr;                          ///< the node engine's, where that serves
};

/// Resources that run calls, as far as the choices on a communicator have needed them.
struct Venue {
  Engine* engine = nullptr;
  PrivateComm* messages = nullptr;
  Hierarchy* hierarchy = nullptr;
};

class CallPlan {
 public:
  /// For a call with valid arguments, and its choice, which lives as long as the plan.  `bytes`: of its signature.
  void bind(const Operation& call, const Choice& choice, std::int64_t bytes, const Member& me) noexcept;
  /// Whether the plan may be kept: types and operators are the MPI's own, and rows are not too long.
  bool lasts() const { return lasts_; }
  bool matches(const Operation& call) const {
    return call.collective == collective_ && call.root == root_ && call.op == op_ && call.in_place == in_place_ &&
           send_.matches(call.send) && receive_.matches(call.receive) && distance(call) != aliased_at_;
  }
  /// Whether running it calls the MPI underneath: to pack data, to combine it, or for messages.
  bool needs_mpi() const { return way_ == Way::staged || choice_->kind != Choice::Kind::node; }
  /// Who serves it.
  const Choice& choice() const { return *choice_; }
  /// The contest that such calls take part in, which lives as long as the plan; null: none.  `bind` leaves none.
  Contest* contest() const { return contest_; }
  void take_part(Contest* contest) { contest_ = contest; }
  /// Runs the call on the resources of `venue`.  Returns an MPI error code (MPI_ERR_NO_MEM without memory for packing),
  /// which the caller raises.  On the node engine this rank has then forfeited its part, and the others have not waited
  /// for it.
  int run(const Operation& call, const Venue& venue) const noexcept;

 private:
  /// One side of the call on this rank.  `owners`: blocks; 0: it has no such side.
  struct Row {
    std::int64_t count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int owners = 0;
    std::int64_t shift = 0;             ///< bytes from the buffer to where block 0 is, or would be
    shm::Blocks blocks;                 ///< without a start
    std::vector<std::int64_t> given;    ///< counts and displacements of v-forms, as they were given
    std::vector<std::int64_t> bytes;    ///< the same as offsets and sizes
    std::vector<MPI_Datatype> types{};  ///< alltoallw

    bool matches(const Side& side) const {
      if (side.count != count || side.type != type) return false;
      return owners == 0 || (side.buffer != nullptr && (given.empty() || matches_all(side)));
    }
    bool matches_all(const Side& side) const;
    /// False if blocks are not contiguous in memory.
    bool bind(const Side& side, int blocks_of_it);
    bool bind_all(const Side& side);
    shm::Blocks at(const void* buffer) const;
    /// Bytes from the buffer to that block.
    std::int64_t place(int owner) const {
      return shift + (blocks.sizes ? blocks.offsets[owner] : static_cast<std::int64_t>(blocks.block) * owner);
    }
  };

  /// Bytes from one buffer to the other.
  static std::int64_t distance(const Operation& call) {
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(call.receive.buffer) -
                                     reinterpret_cast<std::intptr_t>(call.send.buffer));
  }
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();
  /// How the call runs on the node engine.  `staged`: with packing, or combined by the MPI (node_staged.hpp).
  enum class Way : std::uint8_t { nothing, barrier, move, combine, staged };

  void settle_variant(const Operation& call, const Member& me);
  bool bind_movement(const Operation& call, const Member& me);
  bool bind_reduction(const Operation& call, const Member& me);
  int run_in_node(const Operation& call, Engine& engine) const;
  Operation with_facts(const Operation& call) const;
  int move(const Operation& call, Engine& engine) const;
  int combine(const Operation& call, shm::ShmGroup& group) const;

  Collective collective_ = Collective::barrier;
  bool in_place_ = false;
  bool lasts_ = false;
  Way way_ = Way::staged;
  Rank root_ = 0;
  MPI_Op op_ = MPI_OP_NULL;
  const Choice* choice_ = nullptr;
  Contest* contest_ = nullptr;
  Parameters parameters_{};  ///< of its algorithm, over messages
  shm::Borders borders_;
  std::size_t own_ = 0;  ///< bytes of my block for myself
  /// Distance of buffers that would alias (aliasing.hpp): such a call matches no plan.
  std::int64_t aliased_at_ = never;
  Row send_, receive_;
  shm::Reducer reducer_{};
  TypeInfo send_type_{}, receive_type_{};  ///< over messages and on several nodes, where the plan lasts
};

}  // namespace tutti::runtime
