#pragma once
/// Numbers whose maximum over all ranks one reduction makes.  A value and its negative, side by side, tell whether it
/// is equal on all.
#include <array>
#include <cstddef>
#include <cstdint>

namespace tutti::runtime {

template <std::size_t fields>
struct Maxima {
  std::array<std::int64_t, fields> values{};

  bool equal(std::size_t field) const { return values[field] == -values[field + 1]; }
  void set(std::size_t field, std::uint64_t value) {
    values[field] = static_cast<std::int64_t>(value);
    values[field + 1] = -values[field];
  }
};

}  // namespace tutti::runtime
