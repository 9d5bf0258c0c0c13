#include "simulation/goal/from_schedule.hpp"

#include <cmath>

namespace tutti::simulation {
namespace {

constexpr double per_nanosecond = 1000;

class Maker {
 public:
  explicit Maker(const Costs& costs) : costs_(costs) {}

  void take(const Action& action) {
    switch (action.kind) {
      case Action::Kind::send:
        return send(action);
      case Action::Kind::post:
        return open(receive(action), action.open);
      case Action::Kind::receive:
        return follow(receive(action));
      case Action::Kind::complete:
        return complete(action.open);
      case Action::Kind::settle:
        return settle();
      case Action::Kind::reduce:
        return follow(calc(costs_.reduce_per_byte, action.bytes));
      case Action::Kind::copy:
        return follow(calc(costs_.copy_per_byte, action.bytes));
      case Action::Kind::declare:
      case Action::Kind::end:
        return;
    }
  }
  Program finish() {
    program_.depend(std::move(dependencies_));
    return std::move(program_);
  }

 private:
  /// What the next operation requires: an operation's end, or its start.
  struct Required {
    std::uint32_t operation = 0;
    bool start = false;
  };
  struct Open {
    std::int32_t number = 0;
    std::uint32_t operation = 0;
  };

  std::uint32_t add(const Operation& one) {
    if (program_.operations.size() >= any - 1) throw GoalError("a rank has more operations than a file can name");
    const auto number = static_cast<std::uint32_t>(program_.operations.size());
    program_.operations.push_back(one);
    for (const Required& each : required_) dependencies_.push_back({number, each.operation, each.start});
    return number;
  }
  void follow(std::uint32_t operation) { required_ = {{operation, false}}; }
  void open(std::uint32_t operation, std::int32_t number) { open_.push_back({number, operation}); }

  void send(const Action& action) {
    const std::uint32_t number = add({Operation::Kind::send, 0, 0, static_cast<std::uint32_t>(action.peer),
                                      tag_of(action), static_cast<std::uint64_t>(action.bytes)});
    if (!action.rendezvous) return follow(number);
    required_ = {{number, true}};
    open(number, action.open);
  }
  std::uint32_t receive(const Action& action) {
    return add({Operation::Kind::receive, 0, 0, action.set == no_set ? static_cast<std::uint32_t>(action.peer) : any,
                tag_of(action), static_cast<std::uint64_t>(action.bytes)});
  }
  std::uint32_t calc(double per_byte, std::int64_t bytes) {
    const double time = static_cast<double>(LinkCosts::scaled(per_byte, bytes)) / per_nanosecond;
    return add({Operation::Kind::calc, 0, 0, 0, 0, static_cast<std::uint64_t>(std::llround(time))});
  }
  static std::uint32_t tag_of(const Action& action) { return static_cast<std::uint32_t>(action.set + 1); }

  void complete(std::int32_t number) {
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (open_[i].number == number) {
        required_.push_back({open_[i].operation, false});
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
        return;
      }
  }
  void settle() {
    for (const Open& each : open_) required_.push_back({each.operation, false});
    open_.clear();
  }

  const Costs& costs_;
  Program program_;
  std::vector<Dependency> dependencies_;
  std::vector<Required> required_;
  std::vector<Open> open_;
};

}  // namespace

Program program_of(const Machine& machine, const Costs& costs, Schedule schedule, const Seat& seat) {
  Maker maker(costs);
  for_each_action(machine, std::move(schedule), seat, [&](const Action& action) { maker.take(action); });
  return maker.finish();
}

}  // namespace tutti::simulation
