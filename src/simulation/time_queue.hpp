#pragma once
/// Ranks by the time at which each wants to send next.  A radix heap: times never go back, so a push and a pop cost a
/// few bits' comparison each, whatever the number of ranks.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "core/block.hpp"
#include "simulation/time.hpp"

namespace tutti::simulation {

class TimeQueue {
 public:
  struct Entry {
    Time at = 0;
    std::int32_t turn = 0;  ///< among equal times
    Rank rank = 0;
  };

  bool empty() const { return size_ == 0; }
  Time now() const { return now_; }
  void restart() {
    for (auto& bucket : buckets_) bucket.clear();
    due_.clear(), late_.clear();
    now_ = 0, size_ = 0;
  }
  void push(Entry entry) {
    entry.at = std::max(entry.at, now_);
    ++size_;
    if (entry.at == now_) {
      late_.push_back(entry);
      std::push_heap(late_.begin(), late_.end(), after);
    } else {
      bucket_of(entry.at).push_back(entry);
    }
  }
  /// The earliest; of those, the one with the lowest turn.
  Entry pop() {
    if (due_.empty() && late_.empty()) refill();
    --size_;
    const bool from_late = due_.empty() || (!late_.empty() && after(due_.back(), late_.front()));
    if (from_late) {
      std::pop_heap(late_.begin(), late_.end(), after);
      const Entry entry = late_.back();
      late_.pop_back();
      return entry;
    }
    const Entry entry = due_.back();
    due_.pop_back();
    return entry;
  }

  /// Who comes after so many others, as far as that is known; -1 where it is not.
  Rank ahead(std::size_t others) const { return due_.size() > others ? due_[due_.size() - 1 - others].rank : -1; }

 private:
  static bool after(const Entry& a, const Entry& b) { return a.turn > b.turn; }
  std::vector<Entry>& bucket_of(Time at) {
    return buckets_[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(at ^ now_)))];
  }
  void refill() {
    std::size_t first = 1;
    while (buckets_[first].empty()) ++first;
    std::vector<Entry> moved;
    moved.swap(buckets_[first]);
    now_ = std::ranges::min_element(moved, {}, &Entry::at)->at;
    for (const Entry& entry : moved) entry.at == now_ ? due_.push_back(entry) : bucket_of(entry.at).push_back(entry);
    std::sort(due_.begin(), due_.end(), after);
    moved.clear();
    if (buckets_[first].empty()) buckets_[first].swap(moved);  // keeps its memory
  }

  std::array<std::vector<Entry>, 65> buckets_;  ///< by the highest bit in which times differ from now
  std::vector<Entry> due_;                      ///< of now, the last one first
  std::vector<Entry> late_;                     ///< of now, pushed since: a heap
  Time now_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tutti::simulation
