#pragma once
/// The symbolic run: what every cell of every rank holds after the last step.
#include <string>
#include <vector>

#include "analysis/bound_programs.hpp"
#include "analysis/expressions.hpp"
#include "analysis/meaning.hpp"
#include "analysis/memory.hpp"

namespace tutti {

/// Runs the steps of all ranks on symbols, in one legal order, which analysis/deadlock.hpp gives.
///
/// One order stands for all that are legal.  An executor may start a step before earlier ones have ended only if they
/// do not conflict with it, so every step reads what it reads in program order (Bernstein's conditions); and the j-th
/// receive from a peer gets its j-th message whenever that comes.  So each rank is a function from the sequences of
/// messages it gets to those it sends, and such a network has one outcome (Kahn 1974), whatever the timing.
///
/// Where messages of a set are received in any order, a step writes symbols for its place in that order, and the
/// combination of all of them is known again (analysis/expressions.hpp).  A value that depends on the order stays
/// unknown, and is no valid result.  So the run stands for all orders of arrival.
///
/// Throws Refuted where a cell is read before it is written, operands of different elements meet, or they may not be
/// combined that way.
class Dataflow {
 public:
  Dataflow(const Problem& problem, const std::vector<BoundProgram>& ranks);
  /// Runs one step.  A message counts once, with the step that sends it; a message of a set with the step that receives
  /// it, when all of the set are in flight.
  void perform(Rank me, int step);
  /// Throws Refuted where an output is not what the collective says.
  void check_outcome();

 private:
  void number_elements();
  void fill(Rank me);
  void deliver(Rank me, int step);
  void receive_any(Rank me, int step);
  Pieces any_of(Rank me, int step, const std::vector<Pieces>& brought);
  void check_known(Rank me, int step) const;
  const Pieces& read(Rank me, int step, std::span<const Run> runs);
  void write(Rank me, const MatchedStep& step, const Pieces& pieces);
  const Pieces& combine(Rank me, int step);
  Piece heard(Rank me, const MatchedStep& step);
  void tell(Rank me, const MatchedStep& step, const Piece& all);
  void check_block(Rank me, int owner);
  void check_bracketing(Rank me, int owner);
  void check_barrier(Rank me);
  [[noreturn]] void refute_block(Rank me, int owner, std::int64_t element, const Piece& piece,
                                 const Outcome& outcome) const;
  std::string describe(const Piece& piece) const;
  [[noreturn]] void refute(Rank me, int step, const std::string& expected) const;

  const Problem& problem_;
  const std::vector<BoundProgram>& ranks_;
  Expressions expressions_;
  std::vector<Memory> memory_;
  std::vector<std::int64_t> elements_;  ///< number of each owner's first element, and after the last one
  Pieces read_, right_, part_;          ///< of the step at hand, kept for their room
};

}  // namespace tutti
