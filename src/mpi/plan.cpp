#include "mpi/plan.hpp"

#include <utility>

namespace tutti::mpi {

Plan make_plan(const Plan::Key& key, const Layouts& layouts, Schedule schedule) {
  Plan plan;
  plan.key = key;
  Binding binding(layouts, std::move(schedule));
  while (binding.pull(~std::uint64_t{0})) {
    if (plan.steps.size() == Plan::longest) {
      plan = {};
      plan.key = key, plan.too_long = true;
      return plan;
    }
    BoundStep& step = plan.steps.emplace_back(binding.step());
    step.first_range = std::ssize(plan.ranges);
    plan.ranges.insert(plan.ranges.end(), binding.ranges().begin(), binding.ranges().end());
  }
  plan.areas = binding.areas();
  return plan;
}

}  // namespace tutti::mpi
