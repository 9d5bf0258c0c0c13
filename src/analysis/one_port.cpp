#include "analysis/one_port.hpp"

namespace tutti {
namespace {

struct Tally {
  int round = 0, sends = 0, receives = 0;
};

/// Why the step, counted into its round, is one too many; empty where it is not.
std::string complaint(const Step& step, Tally& tally) {
  if (std::holds_alternative<Send>(step) && ++tally.sends > 1)
    return "sends a second message in a marked round, but claims to need one port";
  if (received(step) != nullptr && ++tally.receives > 1)
    return "receives a second message in a marked round, but claims to need one port";
  return "";
}

}  // namespace

void check_one_ported(const std::vector<BoundProgram>& ranks) {
  for (Rank me = 0; me < static_cast<Rank>(ranks.size()); ++me) {
    const BoundProgram& program = ranks[static_cast<std::size_t>(me)];
    Tally tally;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      if (program.bound[i].round != tally.round) tally = {.round = program.bound[i].round};
      if (std::string why = complaint(program.steps[i], tally); !why.empty())
        throw Refuted{fault_at(me, static_cast<int>(i), program.steps, std::move(why))};
    }
  }
}

}  // namespace tutti
