#pragma once
/// Signals by the names that users give them.
#include <optional>
#include <string_view>

namespace tutti::hang {

/// "USR1", "SIGUSR1" or "10"; nothing for what is no signal that a program may catch.
std::optional<int> signal_named(std::string_view name);

}  // namespace tutti::hang
