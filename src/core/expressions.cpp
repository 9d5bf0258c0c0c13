#include "core/expressions.hpp"

#include <algorithm>
#include <bit>

namespace tutti {
namespace {

std::uint64_t key(Expression left, Expression right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

}  // namespace

Expressions::Expressions(int ranks, bool ordered) : ordered_(ordered) {
  const auto words = (static_cast<std::size_t>(ranks) + 63) / 64;
  for (Rank rank = 0; rank < ranks; ++rank) {
    Node node{Set(words), 1, rank, rank + 1};
    node.ranks[static_cast<std::size_t>(rank) / 64] = std::uint64_t{1} << (rank % 64);
    nodes_.push_back(std::move(node));
  }
}

Expression Expressions::intern(Expression left, Expression right,
                               std::unordered_map<std::uint64_t, Expression>& known) {
  const Node &l = nodes_[static_cast<std::size_t>(left)], &r = nodes_[static_cast<std::size_t>(right)];
  Node node{l.ranks, 0, std::min(l.first, r.first), std::max(l.end, r.end)};
  for (std::size_t i = 0; i < node.ranks.size(); ++i) {
    node.ranks[i] |= r.ranks[i];
    node.count += std::popcount(node.ranks[i]);
  }
  const auto value = static_cast<Expression>(nodes_.size());
  nodes_.push_back(std::move(node));
  known.emplace(key(left, right), value);
  return value;
}

Expression Expressions::combine(Expression left, Expression right) {
  if (const auto known = combined_.find(key(left, right)); known != combined_.end()) return known->second;
  const Node &l = nodes_[static_cast<std::size_t>(left)], &r = nodes_[static_cast<std::size_t>(right)];
  for (std::size_t i = 0; i < l.ranks.size(); ++i) {
    if (const std::uint64_t both = l.ranks[i] & r.ranks[i]; both != 0) {
      complaint_ = "the contribution of rank " + std::to_string(64 * static_cast<int>(i) + std::countr_zero(both)) +
                   " would count twice: " + to_text(left) + " with " + to_text(right);
      return -1;
    }
  }
  if (ordered_ && l.end != r.first) {
    complaint_ = "out of order: " + to_text(left) + " on the left of " + to_text(right);
    return -1;
  }
  return intern(left, right, combined_);
}

Expression Expressions::join(Expression left, Expression right) {
  if (left == right) return left;
  if (const auto known = joined_.find(key(left, right)); known != joined_.end()) return known->second;
  return intern(left, right, joined_);
}

bool Expressions::is(Expression value, Rank first, Rank end) const {
  const Node& node = nodes_[static_cast<std::size_t>(value)];
  return node.first == first && node.end == end && node.count == end - first;
}

std::string Expressions::to_text(Expression value) const {
  const Node& node = nodes_[static_cast<std::size_t>(value)];
  if (node.count == 1) return "rank " + std::to_string(node.first);
  if (node.count == node.end - node.first)
    return "ranks " + std::to_string(node.first) + ".." + std::to_string(node.end - 1);
  std::string text;
  for (Rank rank = node.first; rank < node.end; ++rank)
    if (node.ranks[static_cast<std::size_t>(rank) / 64] >> (rank % 64) & 1)
      text += (text.empty() ? "ranks " : ", ") + std::to_string(rank);
  return text;
}

}  // namespace tutti
