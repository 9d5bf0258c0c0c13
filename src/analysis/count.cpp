#include "analysis/count.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "analysis/critical_path.hpp"

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

Traffic traffic(const Problem& problem, const std::function<Schedule(Context)>& schedule, int per_node) {
  const std::vector<BoundProgram> ranks = bound(problem, schedule);
  const auto nodes = static_cast<std::size_t>((problem.size + per_node - 1) / per_node);
  std::vector<Traffic> sent(nodes), received(nodes);
  Traffic most;
  const auto arrival = [&](Rank rank, int step, const Span& span) {
    most.hops = std::max(most.hops, span.end.messages);
    const MatchedStep& here = ranks[static_cast<std::size_t>(rank)].bound[static_cast<std::size_t>(step)];
    if (here.peer < 0) return;
    const auto from = static_cast<std::size_t>(rank / per_node), to = static_cast<std::size_t>(here.peer / per_node);
    if (from == to) {
      sent[from].inside += here.length;
    } else {
      sent[from].messages += 1, received[to].messages += 1;
      sent[from].moved += here.length, received[to].moved += here.length;
    }
  };
  walk(ranks, problem.size, arrival, per_node);
  for (const std::vector<Traffic>& way : {sent, received})
    for (const Traffic& node : way) {
      most.messages = std::max(most.messages, node.messages), most.moved = std::max(most.moved, node.moved);
      most.inside = std::max(most.inside, node.inside);
    }
  return most;
}

}  // namespace tutti
