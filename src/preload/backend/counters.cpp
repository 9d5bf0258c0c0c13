#include "preload/backend/counters.hpp"

namespace tutti::preload {

runtime::Totals totals_of(runtime::Form form) {
  runtime::Totals sum;
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    const runtime::Totals one = runtime::totals(static_cast<Collective>(i), form);
    sum.calls += one.calls, sum.eligible += one.eligible, sum.node += one.node, sum.flat += one.flat;
    sum.hierarchy += one.hierarchy;
  }
  return sum;
}

std::optional<runtime::Totals> counters(std::string_view name) {
  using runtime::Form;
  if (name.empty()) return totals_of(Form::blocking);
  if (const auto which = collective_named(name)) return runtime::totals(*which);
  constexpr std::string_view made = "_init";
  if (name.ends_with(made))
    if (const auto which = collective_named(name.substr(0, name.size() - made.size())))
      return runtime::totals(*which, Form::persistent);
  if (name.starts_with('i'))
    if (const auto which = collective_named(name.substr(1))) return runtime::totals(*which, Form::nonblocking);
  return std::nullopt;
}

const char* last_choice() { return runtime::last_choice; }

}  // namespace tutti::preload
