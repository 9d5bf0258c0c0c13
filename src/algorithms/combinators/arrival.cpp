#include "algorithms/combinators/arrival.hpp"

#include <stdexcept>
#include <utility>

#include "analysis/program.hpp"

namespace tutti {
namespace {

constexpr int set = 0;

struct Turn {
  Step operator()(Send& step) const { return Send{step.to, std::move(step.what), step.sized, set}; }
  Step operator()(Receive& step) const {
    if (step.sized) throw std::logic_error("a sized message comes from a known rank");
    return receive_any(set, std::move(step.into));
  }
  /// Who came is not known, so neither is who is the lower rank.
  Step operator()(Reduce& step) const { return reduce_right(step.from, step.into); }
  Step operator()(Peers&) const { throw std::logic_error("messages come in any order already"); }
  Step operator()(auto& step) const { return std::move(step); }
};

}  // namespace

Schedule in_arrival_order(Schedule inner) {
  Program steps = program(std::move(inner));
  std::vector<Rank> senders;
  for (const Step& step : steps)
    if (const auto* receive = std::get_if<Receive>(&step)) senders.push_back(receive->from);
  if (!senders.empty()) co_yield peers(set, std::move(senders));
  for (Step& step : steps) co_yield std::visit(Turn{}, step);
}

}  // namespace tutti
