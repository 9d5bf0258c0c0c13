#pragma once
/// A program: a schedule's steps, collected.
#include <vector>

#include "core/schedule.hpp"

namespace tutti {

using Program = std::vector<Step>;

inline Program program(Schedule schedule) {
  Program steps;
  while (const Step* step = schedule.next()) steps.push_back(*step);
  return steps;
}

/// The way back: a schedule of the given steps.
inline Schedule schedule_of(Program steps) {
  for (Step& step : steps) co_yield std::move(step);
}

}  // namespace tutti
