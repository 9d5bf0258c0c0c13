#pragma once
/// Messages that are under way, or have come before they were asked for.
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/block.hpp"
#include "simulation/large_memory.hpp"
#include "simulation/time.hpp"

namespace tutti::simulation {

struct Message {
  Rank from = 0;
  std::int32_t next = -1, previous = -1;  ///< in its inbox
  std::int32_t step = 0;                  ///< of the sender
  std::int8_t set = -1;                   ///< the receiver's set of peers
  bool asks = false;                      ///< a rendezvous: the data has not left
  std::int64_t bytes = 0;
  Stamp come;  ///< when the message, or its request, has come
};

/// All messages that nobody has received yet.
class Pool {
 public:
  std::int32_t add(const Message& message);
  void release(std::int32_t index);
  Message& operator[](std::int32_t index) { return messages_[static_cast<std::size_t>(index)]; }
  /// Most at any time.
  std::size_t most() const { return messages_.size(); }

 private:
  LargeVector<Message> messages_;
  std::int32_t free_ = -1;
};

/// One rank's.  From one sender they are in order; so are those of one set.
class Inbox {
 public:
  void add(Pool& pool, std::int32_t index);
  /// The message after `skip` others from that sender, or -1.
  std::int32_t find(Pool& pool, Rank from, int skip) const;
  /// How many messages of a set are there; `each(index)` is called for them.
  template <class Each>
  int of_set(Pool& pool, int set, Each&& each) const {
    int count = 0;
    for (std::int32_t i = head_; i >= 0; i = pool[i].next)
      if (pool[i].set == set) ++count, each(i);
    return count;
  }
  void remove(Pool& pool, std::int32_t index);
  std::int32_t first() const { return head_; }

 private:
  static constexpr int long_inbox = 24;  ///< beyond this it is looked up by sender
  struct Queue {
    std::vector<std::int32_t> indices;
    std::size_t taken = 0;
  };
  void sort_by_sender(Pool& pool);

  std::int32_t head_ = -1, tail_ = -1, count_ = 0;
  std::unique_ptr<std::unordered_map<Rank, Queue>> by_sender_;
};

}  // namespace tutti::simulation
