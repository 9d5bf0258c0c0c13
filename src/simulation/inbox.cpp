#include "simulation/inbox.hpp"

#include <algorithm>
#include <stdexcept>

namespace tutti::simulation {

std::int32_t Pool::add(const Message& message) {
  if (free_ >= 0) {
    const std::int32_t index = free_;
    free_ = (*this)[index].next;
    (*this)[index] = message;
    return index;
  }
  if (messages_.size() >= INT32_MAX) throw std::length_error("more than two billion messages are under way at once");
  messages_.push_back(message);
  return static_cast<std::int32_t>(messages_.size()) - 1;
}

void Pool::release(std::int32_t index) {
  (*this)[index].next = free_;
  free_ = index;
}

void Inbox::add(Pool& pool, std::int32_t index) {
  pool[index].next = -1, pool[index].previous = tail_;
  if (tail_ >= 0)
    pool[tail_].next = index;
  else
    head_ = index;
  tail_ = index;
  ++count_;
  if (by_sender_)
    (*by_sender_)[pool[index].from].indices.push_back(index);
  else if (count_ > long_inbox)
    sort_by_sender(pool);
}

void Inbox::sort_by_sender(Pool& pool) {
  by_sender_ = std::make_unique<std::unordered_map<Rank, Queue>>();
  for (std::int32_t i = head_; i >= 0; i = pool[i].next) (*by_sender_)[pool[i].from].indices.push_back(i);
}

std::int32_t Inbox::find(Pool& pool, Rank from, int skip) const {
  if (!by_sender_) {
    for (std::int32_t i = head_; i >= 0; i = pool[i].next)
      if (pool[i].from == from && pool[i].set < 0 && skip-- == 0) return i;
    return -1;
  }
  const auto found = by_sender_->find(from);
  if (found == by_sender_->end()) return -1;
  for (const std::int32_t i : found->second.indices)
    if (pool[i].set < 0 && skip-- == 0) return i;
  return -1;
}

void Inbox::remove(Pool& pool, std::int32_t index) {
  if (by_sender_) {
    auto& indices = (*by_sender_)[pool[index].from].indices;
    indices.erase(std::ranges::find(indices, index));
    if (indices.empty()) by_sender_->erase(pool[index].from);
  }
  const std::int32_t before = pool[index].previous, after = pool[index].next;
  (before >= 0 ? pool[before].next : head_) = after;
  (after >= 0 ? pool[after].previous : tail_) = before;
  --count_;
  pool.release(index);
}

}  // namespace tutti::simulation
