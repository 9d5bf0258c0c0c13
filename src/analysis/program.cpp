#include "analysis/program.hpp"

#include <algorithm>

namespace tutti {
Program program(Schedule schedule) {
  Program steps;
  while (const Step* step = schedule.next()) steps.push_back(*step);
  return steps;
}

Schedule schedule_of(Program steps) {
  for (Step& step : steps) co_yield step;
}

int cut_of(const Problem& problem, const std::function<Schedule(Context)>& schedule) {
  int parts = 1;
  for (Rank me = 0; me < problem.size; ++me) {
    Schedule steps = schedule(problem.context(me));
    while (const Step* step = steps.next())
      each_run(*step, [&](const Blocks& run) { parts = std::max(parts, run.of); });
  }
  return parts;
}

}  // namespace tutti
