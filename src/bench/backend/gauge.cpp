#include "bench/backend/gauge.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "bench/backend/buffers.hpp"
#include "bench/batch.hpp"
#include "models/node_bound.hpp"

namespace tutti::bench {

namespace {

constexpr int batches = 301, round_trips = 10;  // short, so that many are left between the turns of other programs
constexpr double copy_limit = 0.02;             ///< seconds for all samples of a copy
constexpr double shortest_batch = 3e-6;         ///< seconds, beside which reading the clock is no matter
constexpr double nobody = -1e9;

/// Disturbances only lengthen a batch, and a lower bound must not be too long.
double lower_quartile(std::vector<double>& values) {
  const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), quarter, values.end());
  return *quarter;
}

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

/// Copies from one half of a buffer set to the other, set after set, as calls of that size meet their buffers; in one
/// set again and again, as warm ones do.
class Copying {
 public:
  Copying(std::int64_t bytes, int ranks_on_node, bool warm)
      : bytes_(static_cast<std::size_t>(bytes)), sets_(memory_, bytes, bytes, ranks_on_node, warm) {}

  double seconds() {
    std::vector<double> samples;
    sample();  // the first touches pages
    const double one = sample();
    const int most = sets_.shared() ? most_in_batch : sets_.count();
    while (batch_ < most && batch_ * one < shortest_batch) batch_ *= 2;
    const double end = now() + copy_limit;
    while (samples.size() < 5 || (now() < end && samples.size() < 1000)) samples.push_back(sample());
    return lower_quartile(samples);
  }

 private:
  double sample() {
    const double begin = now();
    for (int i = 0; i < batch_; ++i) {
      const Buffers buffers = sets_(0, next_ + i);
      std::memcpy(buffers.receive, buffers.send, bytes_);
      asm volatile("" : : "r"(buffers.receive) : "memory");
    }
    const double seconds = (now() - begin) / batch_;
    for (int i = 0; i < batch_ && !sets_.shared(); ++i)
      std::memset(sets_(0, next_ + i).send, ++contents_ & 0xff, bytes_);
    next_ = (next_ + batch_) % sets_.count();
    return seconds;
  }

  std::size_t bytes_;
  Memory memory_;
  BufferSets sets_;
  int batch_ = 1, next_ = 0, contents_ = 0;
};

}  // namespace

Gauge::Gauge(Team& team) : team_(team) {
  if (team.ranks_on_node() != team.size()) throw std::invalid_argument("--bound is for ranks on one node");
  lines_ = SharedLines(team, static_cast<std::size_t>(team.size()) + 1);
  if (!lines_) throw std::runtime_error("--bound: the ranks cannot share memory");
}

double Gauge::answered(double mine) {
  std::array<double, 1> value = {mine};
  team_.maximum(value);
  return value[0];
}

/// The others sleep, without polling, until rank 0 has finished: they would take CPUs or memory bandwidth.
void Gauge::alone(const std::function<void()>& work, bool taking_part) {
  std::atomic<std::uint64_t>& over = lines_[static_cast<std::size_t>(team_.size())];
  ++measurements_;
  if (taking_part) work();
  if (team_.rank() == 0)
    over.store(measurements_, std::memory_order_release);
  else
    while (over.load(std::memory_order_acquire) < measurements_) usleep(100);
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
    const bool taking_part = team_.rank() == 0 || team_.rank() == partner;
    alone([&] { longest = std::max(longest, both_ways(partner, false) / 2); }, taking_part);
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
  alone(work, team_.rank() == 0 || team_.rank() == partner);
  turn_ = end;
  return answered(team_.rank() == 0 ? seconds : 0);
}

double Gauge::copy(std::int64_t bytes, bool warm) {
  if (bytes == 0) return 0;
  double seconds = 0;
  alone([&] { seconds = Copying(bytes, team_.ranks_on_node(), warm).seconds(); }, team_.rank() == 0);
  return answered(seconds);
}

Bound Gauge::bound(const Case& what) {
  const NodeBound least = node_bound(what.collective, team_.size(), what.bytes, team_.cpus());
  Bound bound{what, least.flags, least.switches, least.copied, 0, 0, 0};
  if (least.flags > 0) bound.flag = flag();
  if (least.switches > 0) bound.switching = switching();
  bound.copy = copy(least.copied, what.cache == CacheMode::warm || what.cache == CacheMode::fresh);
  return bound;
}

}  // namespace tutti::bench
