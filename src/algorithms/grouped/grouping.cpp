#include "algorithms/grouped/grouping.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/combinators/combinators.hpp"
#include "analysis/program.hpp"

namespace tutti {

int number_of_groups(int asked, int ranks) {
  const int wanted = asked > 0 ? asked : static_cast<int>(std::lround(std::sqrt(ranks)));
  return std::clamp(wanted, 1, ranks);
}

Grouping::Grouping(const Composition& composition, const Context& context, bool led_by_last)
    : composition_(composition),
      parameters_(context.parameters),
      groups_{context.size, number_of_groups(context.parameters[0], context.size)},
      me_(context.me),
      root_(context.root),
      group_(groups_.of(context.me)),
      led_by_last_(led_by_last) {}

Rank Grouping::leader(int group) const {
  if (led_by_last_) return groups_.first(group) + groups_.size(group) - 1;
  return group == groups_.of(root_) ? root_ : groups_.first(group);
}

std::vector<int> Grouping::starts() const {
  std::vector<int> all;
  for (int group = 0; group <= groups_.count; ++group) all.push_back(groups_.first(group));
  return all;
}

std::vector<int> Grouping::members() const {
  std::vector<int> all(static_cast<std::size_t>(size()) + 1);
  std::iota(all.begin(), all.end(), first());
  return all;
}

Schedule Grouping::part(Phase phase, Context context) const {
  if (context.size == 1) return schedule_of({});
  context.parameters = composition_.parameters_of(static_cast<std::size_t>(phase), parameters_);
  return composition_.parts[static_cast<std::size_t>(phase)].algorithm->schedule(context);
}

Schedule Grouping::inside(Phase phase) const {
  const Rank first = this->first();
  return on_ranks(part(phase, {me_ - first, size(), leader(group_) - first, {}}),
                  [first](int member) { return first + member; });
}

Schedule Grouping::among_leaders() const {
  return on_ranks(part(between, {group_, groups_.count, groups_.of(root_), {}}),
                  [*this](int group) { return leader(group); });
}

}  // namespace tutti
