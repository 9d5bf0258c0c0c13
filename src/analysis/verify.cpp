#include "analysis/verify.hpp"

#include "analysis/bound_programs.hpp"
#include "analysis/dataflow.hpp"
#include "analysis/deadlock.hpp"
#include "analysis/one_cut.hpp"
#include "analysis/one_port.hpp"

namespace tutti {

std::optional<Fault> verify(const Problem& problem, const std::function<Schedule(Context)>& schedule) {
  try {
    const std::vector<BoundProgram> ranks = bind(problem, schedule);
    check_one_cut(ranks);
    if (problem.one_ported) check_one_ported(ranks);
    Dataflow dataflow(problem, ranks);
    run_to_the_end(ranks, [&](Rank rank, int step) { dataflow.perform(rank, step); });
    dataflow.check_outcome();
  } catch (const Refuted& refuted) {
    return refuted.fault;
  }
  return std::nullopt;
}

}  // namespace tutti
