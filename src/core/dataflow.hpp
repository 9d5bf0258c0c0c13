#pragma once
/// The symbolic run: what every cell of every rank holds after the last step.
#include <vector>

#include "core/ensemble.hpp"
#include "core/meaning.hpp"

namespace tutti {

/// Runs all ranks, each in the order of its program, messages being copied when they are sent.
///
/// One run stands for all that are legal.  An executor may start a step before earlier ones have ended only if they
/// do not conflict with it, so every step reads what it reads in program order (Bernstein's conditions); and the j-th
/// receive from a peer gets its j-th message whenever that comes.  So each rank is a function from the sequences of
/// messages it gets to those it sends, and such a network has one outcome (Kahn 1974), whatever the timing.  Whether
/// every run gets to its end is another question: core/progress.hpp.
///
/// Throws Refuted where a cell is read before it is written, operands of different elements meet, or they may not be
/// combined that way.
class Dataflow {
 public:
  Dataflow(const Problem& problem, const std::vector<BoundProgram>& ranks);
  /// Throws Refuted where an output is not what the collective says.
  void check_outcome();

 private:
  using Memory = std::vector<Value>;

  void fill(Rank me);
  void run();
  bool advance(Rank me);
  void check_known(Rank me, const BoundStep& step);
  std::vector<Value> read(Rank me, const BoundStep& step);
  void write(Rank me, const BoundStep& step, const std::vector<Value>& values);
  std::vector<Value> combine(const BoundStep& step, std::vector<Value> operands);
  Value heard(Rank me, const BoundStep& step);
  void check_block(Rank me, int owner);
  void check_barrier(Rank me);
  std::string describe(const Value& value) const;
  [[noreturn]] void refute(Rank me, int step, const std::string& expected) const;

  const Problem& problem_;
  const std::vector<BoundProgram>& ranks_;
  Expressions expressions_;
  std::vector<Memory> memory_;
  std::vector<std::size_t> next_;                        ///< step of each rank
  std::vector<std::vector<std::vector<Value>>> posted_;  ///< by rank and step: the payload of a send
};

}  // namespace tutti
