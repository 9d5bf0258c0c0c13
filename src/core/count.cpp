#include "core/count.hpp"

#include <stdexcept>

#include "core/paths.hpp"

namespace tutti {

Cost count(const Problem& problem, const std::function<Schedule(Context)>& schedule, int ports) {
  try {
    const std::vector<BoundProgram> ranks = bind(problem, schedule);
    Cost cost;
    std::int64_t messages = 0;
    walk(ranks, ports, [&](Rank rank, int step, const Span& span) {
      cost = later_of(cost, span.end);
      if (ranks[static_cast<std::size_t>(rank)].bound[static_cast<std::size_t>(step)].peer >= 0) ++messages;
    });
    cost.messages = messages;
    return cost;
  } catch (const Refuted& refuted) {
    throw std::logic_error(to_text(refuted.fault));
  }
}

}  // namespace tutti
