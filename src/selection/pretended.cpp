#include "selection/pretended.hpp"

#include <cctype>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <string>

namespace tutti {
namespace {

/// The numbers between `separator`s, each at least `least`; nothing where one is no number.
std::optional<std::vector<int>> numbers_in(std::string_view text, char separator, int least) {
  std::vector<int> numbers;
  for (;;) {
    const std::size_t end = text.find(separator);
    const std::string_view word = text.substr(0, end);
    int number = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || rest != word.data() + word.size() || number < least) return std::nullopt;
    numbers.push_back(number);
    if (end == std::string_view::npos) return numbers;
    text.remove_prefix(end + 1);
  }
}

/// SplitMix64.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
  value = (value ^ value >> 27) * 0x94D049BB133111EBu;
  return value ^ value >> 31;
}

}  // namespace

std::optional<PretendedNodes> PretendedNodes::parse(std::string_view text) {
  std::string word(text.substr(0, text.find(':')));
  for (char& letter : word) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (word.size() + 1 >= text.size()) return std::nullopt;
  const std::string_view rest = text.substr(word.size() + 1);
  PretendedNodes nodes;
  std::optional<std::vector<int>> numbers;
  if (word == "block" || word == "cyclic") {
    nodes.deal_ = word == "block" ? Deal::block : Deal::cyclic;
    numbers = numbers_in(rest, ':', 1);
    if (numbers && numbers->size() != 1) return std::nullopt;
  } else if (word == "sizes") {
    nodes.deal_ = Deal::sizes;
    numbers = numbers_in(rest, ',', 1);
  } else if (word == "random") {
    nodes.deal_ = Deal::random;
    numbers = numbers_in(rest, ':', 0);
    if (numbers && (numbers->size() != 2 || numbers->front() < 1)) return std::nullopt;
  }
  if (!numbers) return std::nullopt;
  nodes.numbers_ = std::move(*numbers);
  return nodes;
}

int PretendedNodes::node_of(int rank) const {
  const int first = numbers_.front();
  if (deal_ == Deal::block) return rank / first;
  if (deal_ == Deal::cyclic) return rank % first;
  if (deal_ == Deal::random) {
    const auto seed = static_cast<std::uint64_t>(numbers_[1]) << 32;
    return static_cast<int>(mixed(seed + static_cast<std::uint64_t>(rank)) % static_cast<std::uint64_t>(first));
  }
  const int all = std::accumulate(numbers_.begin(), numbers_.end(), 0), nodes = static_cast<int>(numbers_.size());
  int node = rank / all * nodes;
  for (int left = rank % all; left >= numbers_[static_cast<std::size_t>(node % nodes)]; ++node)
    left -= numbers_[static_cast<std::size_t>(node % nodes)];
  return node;
}

}  // namespace tutti
