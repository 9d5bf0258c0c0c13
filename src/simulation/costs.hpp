#pragma once
/// What things take on the simulated machine: its parameters in picoseconds, noise, slow nodes.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulation/machine.hpp"
#include "simulation/time.hpp"

namespace tutti::simulation {

/// LogGOPS in picoseconds.
struct LinkCosts {
  explicit LinkCosts(const LogGops& link);
  Time latency, send, receive, gap;
  double per_byte, overhead_per_byte;
  std::int64_t rendezvous;

  Time transfer(std::int64_t bytes) const { return scaled(per_byte, bytes); }
  Time send_overhead(std::int64_t bytes) const { return send + scaled(overhead_per_byte, bytes); }
  Time receive_overhead(std::int64_t bytes) const { return receive + scaled(overhead_per_byte, bytes); }

  static Time scaled(double per_byte, std::int64_t bytes) {
    return per_byte == 0 ? 0
                         : static_cast<Time>(std::llround(
                               std::min(per_byte * static_cast<double>(bytes), static_cast<double>(longest))));
  }
};

class Costs {
 public:
  explicit Costs(const Machine& machine);
  const LinkCosts between, within;
  const double reduce_per_byte, copy_per_byte, memory_per_byte;  ///< picoseconds

  /// The processor of a rank works for that long, noise and a slow node included.
  void work(Rank rank, Part part, Time time, Stamp& clock) const {
    if (slow_.empty() && period_ == 0) return clock.add(part, time);
    work_otherwise(rank, part, time, clock);
  }
  /// Of a network card.
  Time on_card(int node, Time time) const { return slow_.empty() ? time : scaled(node, time); }
  /// What noise adds to the latency of a message.
  Time jitter(Rank from, Rank to, std::uint64_t number, Time latency) const {
    return jitter_ == 0 ? 0 : drawn_jitter(from, to, number, latency);
  }
  bool equal_ranks() const { return slow_.empty() && period_ == 0 && jitter_ == 0; }

 private:
  void work_otherwise(Rank rank, Part part, Time time, Stamp& clock) const;
  Time scaled(int node, Time time) const;
  Time drawn_jitter(Rank from, Rank to, std::uint64_t number, Time latency) const;

  const Machine& machine_;
  std::vector<bool> slow_;  ///< by node; empty where none is
  Time period_, duration_;
  double jitter_;
};

}  // namespace tutti::simulation
