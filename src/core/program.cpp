#include "core/program.hpp"

#include <algorithm>

namespace tutti {
namespace {

/// Visits every run that a step names.
struct Finest {
  int parts = 1;

  void operator()(const Area& area) { parts = std::max(parts, area.of); }
  void operator()(const Send& step) { name(step.what); }
  void operator()(const Receive& step) { name(step.into); }
  void operator()(const Reduce& step) { name({step.from, step.into}); }
  void operator()(const Copy& step) { name(step.from), name(step.into); }
  void operator()(const Round&) {}
  void name(const BlockList& list) {
    for (const Blocks& run : list) parts = std::max(parts, run.of);
  }
};

}  // namespace

Program program(Schedule schedule) {
  Program steps;
  while (const Step* step = schedule.next()) steps.push_back(*step);
  return steps;
}

Schedule schedule_of(Program steps) {
  for (Step& step : steps) co_yield std::move(step);
}

int finest_cut(const Problem& problem, const std::function<Schedule(Context)>& schedule) {
  Finest finest;
  for (Rank me = 0; me < problem.size; ++me) {
    Schedule steps = schedule(problem.context(me));
    while (const Step* step = steps.next()) std::visit(finest, *step);
  }
  return finest.parts;
}

}  // namespace tutti
