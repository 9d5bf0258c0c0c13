#pragma once
/// TCP counters of all nodes' kernels while a case is measured.
#include "bench/backend/team.hpp"
#include "bench/network_counters.hpp"

namespace tutti::bench {

class NetworkWatch {
 public:
  /// Collective.  One rank of each network namespace reads them.
  explicit NetworkWatch(Team& team);
  void begin();
  /// Of all nodes together since begin(), on rank 0.  Collective.
  NetworkCounters end();

  /// Before and after one call: whether this rank's kernel counted a time-out meanwhile.  Nothing is read where all
  /// ranks share one network.
  void begin_call() {
    if (looking_ && several_) last_ = network_timeouts();
  }
  bool timed_out() const { return looking_ && several_ && network_timeouts() > last_; }

 private:
  Team& team_;
  bool looking_ = false, several_ = false;
  std::int64_t last_ = 0;
  NetworkCounters before_;
};

}  // namespace tutti::bench
