#pragma once
/// The verifier: proves the schedules of all ranks of one call right, on one concrete small layout.
#include <functional>
#include <optional>

#include "analysis/fault.hpp"
#include "analysis/problem.hpp"

namespace tutti {

/// Nothing where the schedules are right:
/// - after the last step every rank holds what the collective says, element by element, and nothing else was written;
/// - the j-th send from a to b has the size of b's j-th receive from a, and every message has both ends;
/// - no deadlock, even when a send blocks until it is received and an executor looks ahead no further than the end
///   of the oldest unfinished marked round;
/// - nothing is read before it is written, scratch stays within its area, the input is never written;
/// - with `problem.ordered`, operands are combined in rank order; without, each contribution counts once;
/// - allreduce: every rank combines in the same bracketing, so that all get identical bits.
std::optional<Fault> verify(const Problem& problem, const std::function<Schedule(Context)>& schedule);

}  // namespace tutti
