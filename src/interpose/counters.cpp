#include "interpose/counters.hpp"

namespace tutti::interpose {

std::optional<mpi::Totals> counters(std::string_view collective) {
  if (!collective.empty()) {
    const auto which = collective_named(collective);
    return which ? std::optional(mpi::totals(*which)) : std::nullopt;
  }
  mpi::Totals sum;
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    const mpi::Totals one = mpi::totals(static_cast<Collective>(i));
    sum.calls += one.calls, sum.eligible += one.eligible, sum.node += one.node, sum.flat += one.flat;
    sum.hierarchy += one.hierarchy;
  }
  return sum;
}

const char* last_choice() { return mpi::last_choice; }

}  // namespace tutti::interpose
