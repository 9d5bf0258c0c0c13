#pragma once
/// Calls like an earlier one, with other buffers and other data.
///
/// Programs repeat their calls.  What was found out about one - that its arguments are valid, who serves it, which
/// bytes move - holds again while everything else that was given is the same.  Only calls on the node engine, where
/// that is a third of the time of a short one (55 of 165 ns), or that a communicator with an engine leaves to the MPI
/// (32 ranks on 2 CPUs: 6 of 60 us), and only with the MPI's own types and operators, whose handles mean the same for
/// ever.  Each rank remembers for itself; what it does is the same as without.
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "mpi/engine.hpp"
#include "mpi/operation.hpp"
#include "selection/choice.hpp"

namespace tutti::mpi {

class Repetition {
 public:
  /// Of a call that has just been carried out or left to the MPI.  Null where later ones may not be taken for the same,
  /// or rarely are.
  static std::unique_ptr<Repetition> of(const Operation& call, const Choice& choice, const Engine& engine);

  bool matches(const Operation& call) const {
    return call.collective == collective_ && call.root == root_ && call.op == op_ && call.in_place == in_place_ &&
           send_.matches(call.send) && receive_.matches(call.receive) && distance(call) != aliased_at_;
  }
  /// Who serves it; as long-lived as the communicator's selector.
  const Choice& choice() const { return choice_; }
  /// As execute_on_node, for a call that matches and that the engine serves.
  int carry_out(const Operation& call, Engine& engine) const noexcept;

 private:
  /// What this rank gives or gets.  `owners`: blocks; 0: it has no such side.
  struct Row {
    std::int64_t count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int owners = 0;
    std::int64_t shift = 0;             ///< bytes from the buffer to where block 0 is, or would be
    node::Blocks blocks;                ///< without a start
    std::vector<std::int64_t> given;    ///< counts and displacements of v-forms, as they were given
    std::vector<std::int64_t> bytes;    ///< the same as offsets and sizes
    std::vector<MPI_Datatype> types{};  ///< alltoallw

    bool matches(const Side& side) const {
      if (side.count != count || side.type != type) return false;
      return owners == 0 || (side.buffer != nullptr && (given.empty() || matches_all(side)));
    }
    bool matches_all(const Side& side) const;
    /// False where that is not to be remembered.
    bool learn(const Side& side, int blocks_of_it);
    bool learn_all(const Side& side);
    node::Blocks at(const void* buffer) const;
    /// Bytes from the buffer to that block.
    std::int64_t place(int owner) const {
      return shift + (blocks.sizes ? blocks.offsets[owner] : static_cast<std::int64_t>(blocks.block) * owner);
    }
  };

  explicit Repetition(const Operation& call, const Choice& choice)
      : collective_(call.collective),
        in_place_(call.in_place),
        root_(call.root),
        op_(call.op),
        choice_(choice),
        borders_{choice.single_copy, choice.by_clock} {}
  /// Bytes from one buffer to the other.
  static std::int64_t distance(const Operation& call) {
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(call.receive.buffer) -
                                     reinterpret_cast<std::intptr_t>(call.send.buffer));
  }
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();

  bool learn(const Operation& call, const Engine& engine);
  bool learn_movement(const Operation& call, const Engine& engine);
  bool learn_reduction(const Operation& call, const Engine& engine);
  node::Ending move(const Operation& call, Engine& engine) const;
  node::Ending combine(const Operation& call, node::Team& team) const;

  Collective collective_;
  bool in_place_;
  Rank root_;
  MPI_Op op_;
  const Choice& choice_;
  node::Borders borders_;
  std::size_t own_ = 0;  ///< bytes of my block for myself
  std::int64_t aliased_at_ =
      never;  ///< distance of buffers that would be the same (aliasing.hpp): to be looked at anew
  Row send_, receive_;
  node::Reducer reducer_{};
};

/// Those of one communicator.  What a call is, and how long, names the two places where it may be: a barrier and what a
/// program makes between two of them must not fall on one and the same for ever.
class Repetitions {
 public:
  Repetitions() { misses_.fill(patience); }

  /// Null where none matches.
  const Repetition* find(const Operation& call) {
    const std::size_t place = place_of(call);
    if (const Repetition* const known = found_at(place, call)) [[likely]]
      return known;
    return found_at(place ^ 1, call);
  }
  /// A call that matched none is over, or left to the MPI.  It takes another one's place once that has not come for a
  /// while: two that alternate do not drive each other out.
  void offer(const Operation& call, const Choice& choice, const Engine& engine) {
    const std::size_t first = place_of(call), second = first ^ 1;
    const std::size_t place = misses_[second] > misses_[first] ? second : first;
    for (const std::size_t missed : {first, second}) misses_[missed] += misses_[missed] <= patience;
    if (misses_[place] <= patience) return;
    misses_[place] = 0;
    known_[place] = Repetition::of(call, choice, engine);
  }

 private:
  static constexpr std::uint8_t patience = 16;
  static constexpr unsigned bits = 5;

  static std::size_t place_of(const Operation& call) {
    const auto count = static_cast<std::uint64_t>(call.receive.count + call.send.count);
    const std::uint64_t which = count * 32 + static_cast<std::uint64_t>(call.collective);
    return (which * 0x9E3779B97F4A7C15u) >> (64 - bits);
  }
  const Repetition* found_at(std::size_t place, const Operation& call) {
    const Repetition* const known = known_[place].get();
    if (known == nullptr || !known->matches(call)) return nullptr;
    misses_[place] = 0;
    return known;
  }

  std::array<std::unique_ptr<const Repetition>, std::size_t{1} << bits> known_;
  std::array<std::uint8_t, std::size_t{1} << bits> misses_;
};

}  // namespace tutti::mpi
