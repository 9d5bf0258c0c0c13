#pragma once
/// The answers of tutti_get_counters and tutti_last_choice.
#include <optional>
#include <string_view>

#include "runtime/communicator/state.hpp"

namespace tutti::preload {

/// Of all collectives in that form.
runtime::Totals totals_of(runtime::Form form);

/// Counters of a call by its name in lower case ("allreduce", "iallreduce", "allreduce_init"); "" for all blocking ones
/// together; nothing for an unknown name.
std::optional<runtime::Totals> counters(std::string_view collective);

/// Spec that served or passed the calling thread's last intercepted collective: "node", "ring", "native" (also before
/// the first).  The pointer stays valid.
const char* last_choice();

}  // namespace tutti::preload
