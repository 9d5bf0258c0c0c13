#include "core/count.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "core/paths.hpp"

namespace tutti {

namespace {

/// Who waits for whom among the steps of all ranks, or why they are not right.
std::vector<BoundProgram> bound(const Problem& problem, const std::function<Schedule(Context)>& schedule) {
  try {
    return bind(problem, schedule);
  } catch (const Refuted& refuted) {
    throw std::logic_error(to_text(refuted.fault));
  }
}

}  // namespace

Cost count(const Problem& problem, const std::function<Schedule(Context)>& schedule, int ports) {
  const std::vector<BoundProgram> ranks = bound(problem, schedule);
  Cost cost;
  std::int64_t messages = 0;
  walk(ranks, ports, [&](Rank rank, int step, const Span& span) {
    cost = later_of(cost, span.end);
    if (ranks[static_cast<std::size_t>(rank)].bound[static_cast<std::size_t>(step)].peer >= 0) ++messages;
  });
  cost.messages = messages;
  return cost;
}

std::int64_t hops(const Problem& problem, const std::function<Schedule(Context)>& schedule) {
  const std::vector<BoundProgram> ranks = bound(problem, schedule);
  std::int64_t longest = 0;
  walk(ranks, problem.size, [&](Rank, int, const Span& span) { longest = std::max(longest, span.end.messages); });
  return longest;
}

}  // namespace tutti
