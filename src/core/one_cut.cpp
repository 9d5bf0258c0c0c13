#include "core/one_cut.hpp"

namespace tutti {

void check_one_cut(const std::vector<BoundProgram>& ranks) {
  int parts = 1;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const Program& steps = ranks[rank].steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      each_run(steps[i], [&](const Blocks& run) {
        if (run.of == 1) return;
        if (parts > 1 && run.of != parts)
          throw Refuted{fault_at(static_cast<Rank>(rank), static_cast<int>(i), steps,
                                 "cuts a block into " + std::to_string(run.of) + " parts, but another step into " +
                                     std::to_string(parts) + ": what they share would depend on its size")};
        parts = run.of;
      });
    }
  }
}

}  // namespace tutti
