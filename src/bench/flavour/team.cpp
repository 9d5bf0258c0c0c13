#include "bench/flavour/team.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <array>

namespace tutti::bench {

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Team::Team() {
  PMPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  PMPI_Comm_rank(comm_, &rank_);
  PMPI_Comm_size(comm_, &size_);
  place();
  measure_clock();
  measure_agreement();
}

/// Finds out whether the ranks share a node, and how many cores they have together.
void Team::place() {
  MPI_Comm node = MPI_COMM_NULL;
  PMPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
  PMPI_Comm_size(node, &ranks_on_node_);
  PMPI_Comm_free(&node);

  cpu_set_t mine;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  // The last two elements: the least ranks on any node, negated, and the clock.
  std::array<double, CPU_SETSIZE + 2> facts{};
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) facts[cpu] = CPU_ISSET(cpu, &mine) ? 1 : 0;
  facts[CPU_SETSIZE] = -ranks_on_node_;
  facts[CPU_SETSIZE + 1] = now();
  maximum(facts);
  const bool one_node = -facts[CPU_SETSIZE] == size_;
  const bool one_clock =
      facts[CPU_SETSIZE + 1] <= now();  // else another rank's clock is ahead of ours (time namespaces)
  cpus_ = static_cast<int>(std::count(facts.begin(), facts.begin() + CPU_SETSIZE, 1.0));
  std::array<double, 1> apart = {one_node && one_clock ? 0.0 : 1.0};
  maximum(apart);
  const bool together = apart[0] == 0.0;
  common_start_ = together && size_ <= cpus_;
  if (common_start_) polls_before_yield_ = 1000;
  if (together && !common_start_) lines_ = SharedLines(*this, static_cast<std::size_t>(size_));
}

void Team::measure_clock() {
  constexpr int readings = 1000;
  double least = 1;
  for (int trial = 0; trial < 5; ++trial) {
    const double begin = now();
    for (int i = 1; i < readings; ++i) now();
    least = std::min(least, (now() - begin) / readings);
  }
  std::array<double, 1> slowest = {least};
  maximum(slowest);
  clock_cost_ = slowest[0];
}

/// How long an agreement usually takes.  The margin before a common start covers one, with some reserve; late starts
/// widen it later.
void Team::measure_agreement() {
  constexpr std::size_t rounds = 200;
  std::vector<double> times(rounds);
  for (double& time : times) {
    std::array<double, 1> value = {0};
    const double begin = now();
    lines_ ? meet() : maximum(value);
    time = now() - begin;
  }
  std::nth_element(times.begin(), times.begin() + rounds * 3 / 4, times.end());
  std::array<double, 1> usual = {times[rounds * 3 / 4]};
  maximum(usual);
  margin_ = 2 * usual[0] + 0.5e-6;
  start_skew_ = common_start_ ? 2 * clock_cost_ : usual[0];
}

/// Polls instead of waiting inside the library: MPICH's wait never gives the core away, and with more ranks than
/// cores that costs a time slice for each message.
void Team::exchange(int to, int from, std::span<const double> outgoing, std::span<double> incoming) {
  constexpr int tag = 7;
  std::array<MPI_Request, 2> requests;
  PMPI_Irecv(incoming.data(), static_cast<int>(incoming.size()), MPI_DOUBLE, from, tag, comm_, &requests[0]);
  PMPI_Isend(outgoing.data(), static_cast<int>(outgoing.size()), MPI_DOUBLE, to, tag, comm_, &requests[1]);
  int done = 0;
  for (int polls = 0; !done; ++polls) {
    PMPI_Testall(2, requests.data(), &done, MPI_STATUSES_IGNORE);
    if (!done && polls >= polls_before_yield_) sched_yield();
  }
}

void Team::maximum(std::span<double> values) {
  incoming_.resize(values.size());
  for (int distance = 1; distance < size_; distance *= 2) {
    exchange((rank_ + distance) % size_, (rank_ - distance + size_) % size_, values, incoming_);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], incoming_[i]);
  }
}

/// All have come when all flags say so; each is written by its rank alone.  Whoever waits long lets the library move
/// messages now and then: another rank's call may not end before.
void Team::meet() {
  constexpr int polls_before_progress = 200;
  ++starts_;
  lines_[static_cast<std::size_t>(rank_)].store(starts_, std::memory_order_release);
  int polls = 0, found = 0;
  for (int other = 0; other < size_; ++other)
    while (lines_[static_cast<std::size_t>(other)].load(std::memory_order_acquire) < starts_) {
      sched_yield();
      if (++polls % polls_before_progress == 0)
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &found, MPI_STATUS_IGNORE);
    }
}

double Team::start() {
  if (lines_) {
    meet();
    return 0;
  }
  std::array<double, 1> moment = {now() + margin_};
  maximum(moment);
  if (!common_start_) return 0;
  double time = now();
  if (time > moment[0]) return time - moment[0];
  while (time < moment[0]) time = now();
  return 0;
}

}  // namespace tutti::bench
