#pragma once
/// Bound programs: short schedules bound once and kept, below the plans of calls (plan/call_plan.hpp).  A bound program
/// counts elements, so it serves every buffer, datatype and operator.
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "runtime/wire/step_stream.hpp"

namespace tutti::runtime {

/// The sizes and places of irregular layouts: what plans of v-forms depend on besides their key.
class Shape {
 public:
  Shape() = default;
  explicit Shape(const Layouts& layouts);
  /// The same numbers; for regular layouts, nothing.
  bool describes(const Layouts& layouts) const;
  static std::uint64_t hash(const Layouts& layouts);

 private:
  std::vector<std::int64_t> numbers_;  ///< size and offset of each owner
};

struct SchedulePlan {
  /// What bound steps depend on, for one communicator.
  struct Key {
    const Algorithm* algorithm = nullptr;
    Rank root = 0;
    Parameters parameters{};
    std::int64_t input = 0, output = 0;  ///< elements of a block; `unknown` where blocks differ
    bool operator==(const Key&) const = default;
  };
  static constexpr std::size_t longest = 256;  ///< steps; longer programs are bound again at each call
  static constexpr int most_owners = 1024;     ///< in a v-form; for more, comparing shapes would take longer

  Key key;
  Shape shape;
  bool too_long = false;
  std::vector<OrderedStep> steps;
  std::vector<Range> ranges;
  std::vector<std::int64_t> areas;
  std::unique_ptr<const Window> whole;  ///< all steps in flight, where there are places enough
};

/// Whether a plan for that call is worth keeping, as far as its layouts tell.
bool worth_keeping(const Layouts& layouts);

SchedulePlan::Key key_of(const Algorithm& algorithm, Rank root, const Parameters& parameters, const Layouts& layouts);

/// Binds the whole program, or stops once it is too long.
SchedulePlan make_schedule_plan(const SchedulePlan::Key& key, const Layouts& layouts, Schedule schedule);

/// The plans of one communicator: a new one takes the place of the old one of the same hash.
class SchedulePlanCache {
 public:
  /// The plan for that call, made by `make` where there is none.
  template <class Make>
  const SchedulePlan& get(const SchedulePlan::Key& key, const Layouts& layouts, Make&& make) {
    if (last_ && last_->key == key && last_->shape.describes(layouts)) return *last_;
    std::unique_ptr<SchedulePlan>& slot = slots_[hash(key, layouts) % slots_.size()];
    if (!slot || slot->key != key || !slot->shape.describes(layouts)) {
      last_ = nullptr;
      slot = std::make_unique<SchedulePlan>(make());
    }
    return *(last_ = slot.get());
  }

 private:
  static std::uint64_t hash(const SchedulePlan::Key& key, const Layouts& layouts);
  std::array<std::unique_ptr<SchedulePlan>, 64> slots_;
  const SchedulePlan* last_ = nullptr;  ///< calls often repeat the one before
};

}  // namespace tutti::runtime
