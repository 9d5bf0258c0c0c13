#include "capi/capi.hpp"

#include "interpose/counters.hpp"

namespace tutti::capi {

int get_counters(const char* collective, tutti_counters* counters) noexcept {
  const auto found = interpose::counters(collective);
  if (!found) return -1;
  *counters = {.calls = found->calls,
               .eligible = found->eligible,
               .node = found->node,
               .flat = found->flat,
               .hierarchy = found->hierarchy};
  return 0;
}

const char* last_choice() noexcept { return interpose::last_choice(); }

}  // namespace tutti::capi
