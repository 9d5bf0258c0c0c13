#include "parts.hpp"

#include <algorithm>
#include <numeric>

#include "random.hpp"

namespace tutti::fuzz {
namespace {

/// A life, and a mix of requests, is a dozen calls and more.
constexpr std::array<int, part_names.size()> weights = {40, 15, 18, 15, 4, 8, 8};

}  // namespace

std::optional<Parts> parts_named(std::string_view names) {
  Parts parts;
  parts.on.fill(false);
  while (!names.empty()) {
    const std::string_view first = names.substr(0, names.find(','));
    const auto found = std::ranges::find(part_names, first);
    if (found == part_names.end()) return std::nullopt;
    parts.on[static_cast<std::size_t>(found - part_names.begin())] = true;
    names.remove_prefix(std::min(names.size(), first.size() + 1));
  }
  if (std::ranges::find(parts.on, true) == parts.on.end()) return std::nullopt;
  return parts;
}

Part part_of(const Parts& parts, std::uint64_t seed, int number) {
  std::array<int, part_names.size()> shares{};
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = parts.on[i] ? weights[i] : 0;
  Random random(seed ^ 0x9A27, static_cast<std::uint64_t>(number));
  int left = random.below(std::accumulate(shares.begin(), shares.end(), 0));
  std::size_t at = 0;
  while (left >= shares[at]) left -= shares[at++];
  return static_cast<Part>(at);
}

}  // namespace tutti::fuzz
