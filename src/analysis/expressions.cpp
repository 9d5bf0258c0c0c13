#include "analysis/expressions.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>

namespace tutti {
namespace {

std::uint64_t key(Expression left, Expression right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

}  // namespace

Expressions::Expressions(int ranks, bool ordered) : ordered_(ordered) {
  const auto words = (static_cast<std::size_t>(ranks) + 63) / 64;
  for (Rank rank = 0; rank < ranks; ++rank) {
    Node node{Set(words), 0, 0, 0, {}};
    node.ranks[static_cast<std::size_t>(rank) / 64] = std::uint64_t{1} << (rank % 64);
    keep(std::move(node));
  }
}

Expression Expressions::keep(Node node) {
  node.count = 0, node.first = static_cast<int>(64 * node.ranks.size()), node.end = 0;
  for (std::size_t i = 0; i < node.ranks.size(); ++i) {
    if (node.ranks[i] == 0) continue;
    node.count += std::popcount(node.ranks[i]);
    node.first = std::min(node.first, static_cast<int>(64 * i) + std::countr_zero(node.ranks[i]));
    node.end = static_cast<int>(64 * i + 64) - std::countl_zero(node.ranks[i]);
  }
  nodes_.push_back(std::move(node));
  return static_cast<Expression>(nodes_.size()) - 1;
}

Expression Expressions::arrival(Rank at, int set, int turn, const std::vector<Expression>& brought) {
  if (std::ranges::adjacent_find(brought, std::not_equal_to{}) == brought.end()) return brought[0];
  std::vector<Expression> key{at, set};
  key.insert(key.end(), brought.begin(), brought.end());
  const auto [known, added] = known_deals_.emplace(std::move(key), deals_.size());
  if (added) {
    Deal deal{at, brought, turns_, {}};
    for (std::size_t i = 0; i < brought.size(); ++i)
      deal.values.push_back(keep({Set(nodes_[0].ranks.size()), 0, 0, 0, {turns_++}}));
    deals_.push_back(std::move(deal));
  }
  return deals_[known->second].values[static_cast<std::size_t>(turn)];
}

const Expressions::Deal& Expressions::deal_of(int turn) const {
  return *(std::ranges::upper_bound(deals_, turn, {}, &Deal::first) - 1);
}

bool Expressions::unite(Node& node, const Node& other, bool once) {
  std::vector<int> turns;
  std::ranges::set_union(node.turns, other.turns, std::back_inserter(turns));
  if (once && turns.size() < node.turns.size() + other.turns.size()) {
    complaint_ = "what comes to rank " + std::to_string(deal_of(other.turns.front()).at) + " would count twice";
    return false;
  }
  node.turns = std::move(turns);
  for (std::size_t i = 0; i < node.ranks.size(); ++i) {
    const std::uint64_t both = node.ranks[i] & other.ranks[i];
    if (once && both != 0) {
      complaint_ = "the contribution of rank " + std::to_string(64 * static_cast<int>(i) + std::countr_zero(both)) +
                   " would count twice";
      return false;
    }
    node.ranks[i] |= other.ranks[i];
  }
  return true;
}

bool Expressions::resolve(Node& node, bool once) {
  for (std::size_t i = 0; i < node.turns.size();) {
    const Deal& deal = deal_of(node.turns[i]);
    const std::size_t last = i + deal.brought.size() - 1;
    if (node.turns[i] != deal.first || last >= node.turns.size() ||
        node.turns[last] != deal.first + static_cast<int>(deal.brought.size()) - 1) {
      ++i;
      continue;
    }
    const auto begin = node.turns.begin() + static_cast<std::ptrdiff_t>(i);
    node.turns.erase(begin, begin + static_cast<std::ptrdiff_t>(deal.brought.size()));
    for (Expression value : deal.brought)
      if (!unite(node, nodes_[static_cast<std::size_t>(value)], once)) return false;
    i = 0;  // what they bring may have been made of turns itself
  }
  return true;
}

Expression Expressions::combine(Expression left, Expression right) {
  if (const auto known = combined_.find(key(left, right)); known != combined_.end()) return known->second;
  const Node &l = nodes_[static_cast<std::size_t>(left)], &r = nodes_[static_cast<std::size_t>(right)];
  const bool in_order = l.turns.empty() && r.turns.empty() && l.end == r.first;
  Node node = l;
  if (!unite(node, r, true) || ((in_order || !ordered_) && !resolve(node, true))) {
    complaint_ += ": " + to_text(left) + " with " + to_text(right);
    return -1;
  }
  if (ordered_ && !in_order) {
    complaint_ = "out of order: " + to_text(left) + " on the left of " + to_text(right);
    return -1;
  }
  return combined_.emplace(key(left, right), keep(std::move(node))).first->second;
}

Expression Expressions::join(Expression left, Expression right) {
  if (left == right) return left;
  if (const auto known = joined_.find(key(left, right)); known != joined_.end()) return known->second;
  Node node = nodes_[static_cast<std::size_t>(left)];
  unite(node, nodes_[static_cast<std::size_t>(right)], false);
  resolve(node, false);
  return joined_.emplace(key(left, right), keep(std::move(node))).first->second;
}

bool Expressions::is(Expression value, Rank first, Rank end) const {
  const Node& node = nodes_[static_cast<std::size_t>(value)];
  return node.turns.empty() && node.first == first && node.end == end && node.count == end - first;
}

/// `2 of the 3 messages to rank 0 in any order`.
std::string Expressions::turns_text(const Node& node) const {
  std::string text;
  for (std::size_t i = 0; i < node.turns.size();) {
    const Deal& deal = deal_of(node.turns[i]);
    const auto turns = static_cast<int>(deal.brought.size());
    int count = 0;
    while (i < node.turns.size() && node.turns[i] < deal.first + turns) ++count, ++i;
    text += (text.empty() ? "" : " and ") + std::to_string(count) + " of the " + std::to_string(turns) +
            " messages to rank " + std::to_string(deal.at) + " in any order";
  }
  return text;
}

std::string Expressions::to_text(Expression value) const {
  const Node& node = nodes_[static_cast<std::size_t>(value)];
  const std::string turns = turns_text(node);
  if (!turns.empty()) return node.count == 0 ? turns : ranks_text(node) + " and " + turns;
  return ranks_text(node);
}

std::string Expressions::ranks_text(const Node& node) {
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
