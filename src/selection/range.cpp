#include "selection/range.hpp"

#include "selection/number.hpp"

namespace tutti {

std::optional<Range> parse_range(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto least = parse_number(text.substr(0, colon));
  if (colon == std::string_view::npos) return least ? std::optional(Range{*least, *least}) : std::nullopt;
  Range range;
  const std::string_view rest = text.substr(colon + 1);
  const auto most = parse_number(rest);
  if ((colon > 0 && !least) || (!rest.empty() && !most) || text == ":") return std::nullopt;
  if (least) range.least = *least;
  if (most) range.most = *most;
  return range.least <= range.most ? std::optional(range) : std::nullopt;
}

}  // namespace tutti
