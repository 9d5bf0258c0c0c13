#pragma once
/// Where members run, if there are more of them than CPUs: who waits for my CPU, and who does not.
///
/// The kernel leaves ranks that yield to one another where they are, since each has run just now and counts as
/// cache-hot.  Eight on two CPUs were seen as six and two, or five and three, for seconds, and a collective takes as
/// long as the fuller CPU needs: a barrier 7.3 us instead of 3.6.  So whoever finds itself on too full a CPU moves to
/// the emptiest that it may use, ever more rarely if that does not last.  Which CPUs it may use stays as it was.
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <vector>

namespace tutti::shm {

/// Where a member ran last, as it says itself: the CPU's number plus one, or 0 where it has said nothing yet.
using Seat = std::atomic<int>;

/// The seats of a group, in shared memory, so many bytes apart.
struct SeatRow {
  std::byte* first;
  std::size_t stride;
  Seat& operator[](int member) const {
    return *reinterpret_cast<Seat*>(first + stride * static_cast<std::size_t>(member));
  }
};

class CpuBalancer {
 public:
  struct Options {
    int me, size;
    int cpus;     ///< of all members together
    bool spread;  ///< move where CPUs are shared unevenly
  };
  CpuBalancer(SeatRow row, const Options& options);

  /// More members than CPUs; else nothing here does anything.
  bool oversubscribed() const { return oversubscribed_; }
  /// Publishes my CPU: at each post, and by whoever reads without posting where others ask for it.
  void note() {
    if (oversubscribed_) note_mine();
  }
  /// Whether that member last ran where I do, and so cannot run before I wait.
  bool beside_me(int member) const { return oversubscribed_ && row_[member].load(std::memory_order_relaxed) == mine_; }

  /// All others; those first that ran beside me when I last looked, which I do now and then.
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
      sit_down(now);
  }
  void sit_down(int seat);
  void look();
  void spread();
  bool my_turn(int here);
  int emptiest(const cpu_set_t& allowed, int fewer_than) const;

  SeatRow row_;
  int me_, size_;
  bool oversubscribed_, spreads_;
  int fair_;      ///< members on a CPU, if all have as many as can be
  int mine_ = 0;  ///< my seat, as published last
  std::vector<int> others_;
  std::size_t beside_me_ = 0;
  int calls_until_look_ = 0;
  int looks_ = 0;  ///< at too full a CPU
  Clock::duration pause_;
  Clock::time_point next_move_{};
};

}  // namespace tutti::shm
