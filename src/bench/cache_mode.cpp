#include "bench/cache_mode.hpp"

#include <array>
#include <stdexcept>

namespace tutti::bench {

namespace {

constexpr std::array<std::string_view, 4> names = {"cold", "warm", "fresh", "flushed"};

}  // namespace

std::string_view name(CacheMode mode) { return names[static_cast<std::size_t>(mode)]; }

CacheMode parse_cache_mode(const std::string& word, const std::string& whole) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == word) return static_cast<CacheMode>(i);
  if (word == "rotating") return CacheMode::cold;
  throw std::invalid_argument(whole + ": '" + word + "' is none of cold, warm, fresh, flushed");
}

}  // namespace tutti::bench
