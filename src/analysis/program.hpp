#pragma once
/// A program: a schedule's steps, collected.
#include <functional>
#include <vector>

#include "analysis/problem.hpp"
#include "core/schedule.hpp"

namespace tutti {

using Program = std::vector<Step>;

Program program(Schedule schedule);

/// The way back: a schedule of the given steps.
Schedule schedule_of(Program steps);

/// Into how many parts the schedules of all ranks cut blocks (all into as many, see verify); 1 where they cut none.
int cut_of(const Problem& problem, const std::function<Schedule(Context)>& schedule);

}  // namespace tutti
