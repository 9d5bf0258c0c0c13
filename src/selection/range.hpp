#pragma once
/// Ranges in rules: "2:32", "64K:", ":1M", "4".  Both ends belong to the range, as in `tutti verify -n 1:33`.
#include <cstdint>
#include <optional>
#include <string_view>

namespace tutti {

struct Range {
  std::int64_t least = 0, most = INT64_MAX;
  bool contains(std::int64_t value) const { return value >= least && value <= most; }
  bool operator==(const Range&) const = default;
};

/// Nothing where the text is not a range, or an empty one.
std::optional<Range> parse_range(std::string_view text);

}  // namespace tutti
