#pragma once
/// A program: a schedule's steps, collected.
#include <functional>
#include <vector>

#include "core/problem.hpp"
#include "core/schedule.hpp"

namespace tutti {

using Program = std::vector<Step>;

Program program(Schedule schedule);

/// The way back: a schedule of the given steps.
Schedule schedule_of(Program steps);

/// The finest cut that the schedules of all ranks make of a block: parts.
int finest_cut(const Problem& problem, const std::function<Schedule(Context)>& schedule);

}  // namespace tutti
