#include "core/verify.hpp"

#include "core/dataflow.hpp"
#include "core/ensemble.hpp"
#include "core/progress.hpp"

namespace tutti {

std::optional<Fault> verify(const Problem& problem, const std::function<Schedule(Context)>& schedule) {
  try {
    const std::vector<BoundProgram> ranks = bind(problem, schedule);
    Dataflow(problem, ranks).check_outcome();
    check_progress(ranks);
  } catch (const Refuted& refuted) {
    return refuted.fault;
  }
  return std::nullopt;
}

}  // namespace tutti
