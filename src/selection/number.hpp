#pragma once
/// Numbers as users write them: 64, 64K, 8M, 1G (1024 each).
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti {

/// A whole number from 0 on, with an optional K, M or G; nothing where the text is not one, or too large.
std::optional<std::int64_t> parse_number(std::string_view text);
/// With the largest suffix that divides it: 65536 is "64K".
std::string size_text(std::int64_t bytes);

}  // namespace tutti
