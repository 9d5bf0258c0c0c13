#include "preload/backend/counters.hpp"

namespace tutti::preload {

std::optional<runtime::Totals> counters(std::string_view collective) {
  if (!collective.empty()) {
    const auto which = collective_named(collective);
    return which ? std::optional(runtime::totals(*which)) : std::nullopt;
  }
  runtime::Totals sum;
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    const runtime::Totals one = runtime::totals(static_cast<Collective>(i));
    sum.calls += one.calls, sum.eligible += one.eligible, sum.node += one.node, sum.flat += one.flat;
    sum.hierarchy += one.hierarchy;
  }
  return sum;
}

const char* last_choice() { return runtime::last_choice; }

}  // namespace tutti::preload
