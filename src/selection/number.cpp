#include "selection/number.hpp"

#include <charconv>

namespace tutti {
namespace {

/// Bits to shift for a suffix; nothing for another letter.
std::optional<int> shift_of(char suffix) {
  switch (suffix) {
    case 'k':
    case 'K':
      return 10;
    case 'm':
    case 'M':
      return 20;
    case 'g':
    case 'G':
      return 30;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> parse_number(std::string_view text) {
  if (text.empty() || text.front() == '-') return std::nullopt;
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{}) return std::nullopt;
  if (rest == end) return value;
  const auto shift = shift_of(*rest);
  if (!shift || rest + 1 != end || value > (INT64_MAX >> *shift)) return std::nullopt;
  return value << *shift;
}

std::string size_text(std::int64_t bytes) {
  for (const auto& [shift, suffix] : {std::pair{30, 'G'}, {20, 'M'}, {10, 'K'}}) {
    const std::int64_t unit = std::int64_t{1} << shift;
    if (bytes >= unit && bytes % unit == 0) return std::to_string(bytes / unit) + suffix;
  }
  return std::to_string(bytes);
}

}  // namespace tutti
