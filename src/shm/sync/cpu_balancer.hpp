#pragma once
/// CPU balancer for groups with more members than CPUs: which members share my CPU, and when to move to another one.
///
/// The kernel leaves ranks that yield to one another where they are, because each has run just now and counts as
/// cache-hot.  Eight ranks on two CPUs ran as six and two for seconds, and a collective takes as long as the fuller CPU
/// needs (a barrier 7.3 us instead of 3.6).  So a member on an overfull CPU moves to the emptiest CPU of its mask, ever
/// more rarely if that does not last.  Its mask stays as it was.
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <vector>

namespace tutti::shm {

/// The CPU where a member ran last, as published by itself: its number plus one, or 0 if unknown.
using LastCpu = std::atomic<int>;

/// The published CPUs of a group, in shared memory, so many bytes apart.
struct LastCpuRow {
  std::byte* first;
  std::size_t stride;
  LastCpu& operator[](int member) const {
    return *reinterpret_cast<LastCpu*>(first + stride * static_cast<std::size_t>(member));
  }
};

class CpuBalancer {
 public:
  struct Options {
    int me, size;
    int cpus;     ///< of all members together
    bool spread;  ///< move where CPUs are shared unevenly
  };
  CpuBalancer(LastCpuRow row, const Options& options);

  /// More members than CPUs; else nothing here does anything.
  bool oversubscribed() const { return oversubscribed_; }
  /// Publishes my CPU: at each post, and by members that read without posting.
  void note() {
    if (oversubscribed_) note_mine();
  }
  /// Whether that member last ran on my CPU, and so cannot run before I wait.
  bool beside_me(int member) const { return oversubscribed_ && row_[member].load(std::memory_order_relaxed) == mine_; }

  /// All other members; first those that ran on my CPU at the last check, which is made at intervals.
  struct Others {
    const std::vector<int>& members;
    std::size_t beside_me;
  };
  Others others() {
    if (calls_until_look_-- <= 0) look();
    return {others_, beside_me_};
  }

 private:
  using Clock = std::chrono::steady_clock;

  void note_mine() {
    const int now = ::sched_getcpu() + 1;
    if (now != mine_) [[unlikely]]
      publish(now);
  }
  void publish(int ran_on);
  void look();
  void spread();
  bool my_turn(int here);
  int emptiest(const cpu_set_t& allowed, int fewer_than) const;

  LastCpuRow row_;
  int me_, size_;
  bool oversubscribed_, spreads_;
  int fair_;      ///< members on a CPU, if they are spread evenly
  int mine_ = 0;  ///< my CPU, as published last
  std::vector<int> others_;
  std::size_t beside_me_ = 0;
  int calls_until_look_ = 0;
  int looks_ = 0;  ///< checks on an overfull CPU
  Clock::duration pause_;
  Clock::time_point next_move_{};
};

}  // namespace tutti::shm
