#include "runtime/wire/schedule_plan.hpp"

#include <utility>

namespace tutti::runtime {
namespace {

std::uint64_t mixed(std::uint64_t bits, std::int64_t value) {
  bits = (bits ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15u;
  return bits ^ bits >> 32;
}

/// Calls visit(number) for sizes and offsets of the irregular layouts, until it returns false.  Whether it never did.
template <class Visit>
bool each_number(const Layouts& layouts, Visit&& visit) {
  for (const Layout* layout : {&layouts.input, &layouts.output}) {
    if (layout->is_regular()) continue;
    for (int owner = 0; owner < layout->owners(); ++owner)
      if (!visit(layout->size(owner)) || !visit(layout->offset(owner))) return false;
  }
  return true;
}

/// Transitive dependencies are dropped: a step names few of the steps that it waits for.
class Shortcuts {
 public:
  void remove(OrderedStep& step, std::int64_t number) {
    const std::uint64_t direct = step.after;
    std::uint64_t all = direct;
    each_place(direct, [&](int place) {
      const Past& past = steps_[static_cast<std::size_t>(place)];
      const std::uint64_t still = past.all & in_window(past.number, number);
      step.after &= ~still;
      all |= still;
    });
    // Messages to one peer follow each other, so that the last of them stands for all.
    std::uint64_t last = 0;
    std::int64_t newest = -1;
    each_place(step.after_issue, [&](int place) {
      const Past& past = steps_[static_cast<std::size_t>(place)];
      if (past.number > newest) newest = past.number, last = bit(place);
    });
    step.after_issue = last & ~all;
    steps_[static_cast<std::size_t>(place_of(number))] = {all, number};
  }

 private:
  struct Past {
    std::uint64_t all = 0;  ///< places of the steps it waits for, also by way of others
    std::int64_t number = 0;
  };
  /// Of the places that `earlier` may name, those that still are the same steps' for `later`: the places of
  /// earlier + 1 to later have been taken over.
  static std::uint64_t in_window(std::int64_t earlier, std::int64_t later) {
    return ~std::rotl(bit(later - earlier) - 1, place_of(earlier + 1));
  }
  std::array<Past, window_places> steps_;
};

std::unique_ptr<const Window> in_flight(const std::vector<OrderedStep>& steps) {
  if (steps.size() > window_places) return nullptr;
  auto window = std::make_unique<Window>();
  for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
    const OrderedStep& step = steps[static_cast<std::size_t>(i)];
    window->admit(i, step.message(), step.after, step.after_issue);
  }
  return window;
}

}  // namespace

Shape::Shape(const Layouts& layouts) {
  each_number(layouts, [&](std::int64_t number) { return numbers_.push_back(number), true; });
}

bool Shape::describes(const Layouts& layouts) const {
  auto next = numbers_.begin();
  const bool same = each_number(layouts, [&](std::int64_t number) {
    if (next == numbers_.end() || *next != number) return false;
    ++next;
    return true;
  });
  return same && next == numbers_.end();
}

std::uint64_t Shape::hash(const Layouts& layouts) {
  std::uint64_t bits = 0;
  each_number(layouts, [&](std::int64_t number) { return bits = mixed(bits, number), true; });
  return bits;
}

std::uint64_t SchedulePlanCache::hash(const SchedulePlan::Key& key, const Layouts& layouts) {
  std::uint64_t bits =
      mixed(Shape::hash(layouts), static_cast<std::int64_t>(std::bit_cast<std::uintptr_t>(key.algorithm)));
  for (const std::int64_t value : {std::int64_t{key.root}, key.input, key.output}) bits = mixed(bits, value);
  for (const int value : key.parameters.values) bits = mixed(bits, value);
  return bits;
}

bool worth_keeping(const Layouts& layouts) {
  const auto small = [](const Layout& layout) {
    return layout.is_regular() || layout.owners() <= SchedulePlan::most_owners;
  };
  return small(layouts.input) && small(layouts.output);
}

SchedulePlan::Key key_of(const Algorithm& algorithm, Rank root, const Parameters& parameters, const Layouts& layouts) {
  const auto block = [](const Layout& layout) { return layout.is_regular() ? layout.size(0) : unknown; };
  return {&algorithm, root, parameters, block(layouts.input), block(layouts.output)};
}

SchedulePlan make_schedule_plan(const SchedulePlan::Key& key, const Layouts& layouts, Schedule schedule) {
  SchedulePlan plan;
  plan.key = key, plan.shape = Shape(layouts);
  StepStream stream(layouts, std::move(schedule));
  Shortcuts shortcuts;
  const auto before = [&] {
    return plan.steps.size() < window_places ? bit(std::ssize(plan.steps)) - 1 : ~std::uint64_t{0};
  };
  while (stream.pull(before())) {
    if (plan.steps.size() == SchedulePlan::longest) {
      plan.steps.clear(), plan.ranges.clear();
      plan.too_long = true;
      return plan;
    }
    OrderedStep& step = plan.steps.emplace_back(stream.step());
    shortcuts.remove(step, std::ssize(plan.steps) - 1);
    step.first_range = std::ssize(plan.ranges);
    plan.ranges.insert(plan.ranges.end(), stream.ranges().begin(), stream.ranges().end());
  }
  plan.areas = stream.areas();
  plan.whole = in_flight(plan.steps);
  return plan;
}

}  // namespace tutti::runtime
