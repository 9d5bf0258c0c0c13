#include "bench/backend/costs/gauge.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "bench/backend/costs/copy_time.hpp"
#include "models/node_bound.hpp"

namespace tutti::bench {

namespace {

constexpr int batches = 301, round_trips = 10;  // short, so that many are left between the turns of other programs
constexpr double nobody = -1e9;

void wait_for(const std::atomic<std::uint64_t>& word, std::uint64_t value, bool yielding) {
  for (int polls = 0; word.load(std::memory_order_acquire) != value; ++polls)
    if (yielding || polls > 10000) sched_yield();
}

/// The calling thread on one CPU for as long as this lives.
class Pinned {
 public:
  explicit Pinned(int cpu) {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~Pinned() { sched_setaffinity(0, sizeof before_, &before_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  cpu_set_t before_;
};

}  // namespace

Gauge::Gauge(Team& team) : team_(team) {
  if (team.ranks_on_node() != team.size()) throw std::invalid_argument("--bound is for ranks on one node");
  lines_ = SharedLines(team, static_cast<std::size_t>(team.size()));
  if (!lines_) throw std::runtime_error("--bound: the ranks cannot share memory");
}

double Gauge::answered(double mine) {
  std::array<double, 1> value = {mine};
  team_.maximum(value);
  return value[0];
}

/// Seconds of a ping-pong in shared memory; rank 0 and `partner` each write a line of their own.
double Gauge::both_ways(int partner, bool yielding) {
  const bool first = team_.rank() == 0;
  std::atomic<std::uint64_t>& mine = lines_[static_cast<std::size_t>(team_.rank())];
  const std::atomic<std::uint64_t>& other = lines_[static_cast<std::size_t>(first ? partner : 0)];
  std::vector<double> times;
  for (int batch = 0; batch <= batches; ++batch) {
    const double begin = now();
    for (int i = 0; i < round_trips; ++i) {
      ++turn_;
      if (!first) wait_for(other, turn_, yielding);
      mine.store(turn_, std::memory_order_release);
      if (first) wait_for(other, turn_, yielding);
    }
    if (batch > 0) times.push_back((now() - begin) / round_trips);  // before the first the partner may sleep
  }
  return lower_quartile(times);
}

/// The largest latency from rank 0 to some others, near and far: every rank depends on every other.
double Gauge::flag() {
  double longest = 0;
  const std::uint64_t begin = turn_;
  std::uint64_t pairs = 0;
  for (int step = 1; step < 2 * team_.size(); step *= 2) {
    const int partner = std::min(step, team_.size() - 1);
    turn_ = begin + pairs++ * static_cast<std::uint64_t>(round_trips) * (batches + 1);
    team_.while_others_sleep([&] { longest = std::max(longest, both_ways(partner, false) / 2); }, partner);
    if (partner == team_.size() - 1) break;
  }
  turn_ = begin + pairs * static_cast<std::uint64_t>(round_trips) * (batches + 1);
  return answered(team_.rank() == 0 ? longest : 0);
}

/// The first rank but 0 that may run on `cpu`; -1 where none may.
int Gauge::partner_on(int cpu) const {
  cpu_set_t mine;
  sched_getaffinity(0, sizeof mine, &mine);
  std::array<double, 1> found = {team_.rank() > 0 && CPU_ISSET(cpu, &mine) ? -team_.rank() : nobody};
  team_.maximum(found);
  return found[0] == nobody ? -1 : static_cast<int>(-found[0]);
}

/// Two ranks on one CPU that yield to one another: each direction is a context switch.  0, which bounds nothing, if no
/// other rank may run on rank 0's CPU.
double Gauge::switching() {
  cpu_set_t mine;
  sched_getaffinity(0, sizeof mine, &mine);
  int first = 0;
  while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &mine)) ++first;
  const int cpu = static_cast<int>(answered(team_.rank() == 0 ? first : -1));
  const int partner = partner_on(cpu);
  if (partner < 0) return 0;
  double seconds = 0;
  const std::uint64_t end = turn_ + static_cast<std::uint64_t>(round_trips) * (batches + 1);
  const auto work = [&] {
    const Pinned here(cpu);
    seconds = both_ways(partner, true) / 2;
  };
  team_.while_others_sleep(work, partner);
  turn_ = end;
  return answered(team_.rank() == 0 ? seconds : 0);
}

Bound Gauge::bound(const Case& what) {
  const NodeBound least = node_bound(what.collective, team_.size(), what.bytes, team_.cpus());
  Bound bound{what, least.flags, least.switches, least.copied, 0, 0, 0};
  if (least.flags > 0) bound.flag = flag();
  if (least.switches > 0) bound.switching = switching();
  bound.copy = copy_time(team_, least.copied, kept_in_caches(what.cache));
  return bound;
}

}  // namespace tutti::bench
