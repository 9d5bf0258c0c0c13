#include "capi/capi.hpp"

#include "preload/backend/counters.hpp"

namespace tutti::capi {

int get_counters(const char* collective, tutti_counters* counters) noexcept {
  const auto found = preload::counters(collective);
  if (!found) return -1;
  *counters = {.calls = found->calls,
               .eligible = found->eligible,
               .node = found->node,
               .flat = found->flat,
               .hierarchy = found->hierarchy};
  return 0;
}

const char* last_choice() noexcept { return preload::last_choice(); }

}  // namespace tutti::capi
