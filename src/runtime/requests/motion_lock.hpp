#pragma once
/// Who may move calls: one of the program's threads, or the ticker.
#include <atomic>

#include "shm/sync/waiting.hpp"

namespace tutti::runtime::motion {

class Lock {
 public:
  Lock() {
    while (!try_enter()) shm::yield();
  }
  ~Lock() { leave(); }
  Lock(const Lock&) = delete;

  static bool try_enter() { return !taken_.exchange(true, std::memory_order_acquire); }
  static void leave() { taken_.store(false, std::memory_order_release); }

 private:
  static inline std::atomic<bool> taken_{false};
};

}  // namespace tutti::runtime::motion
