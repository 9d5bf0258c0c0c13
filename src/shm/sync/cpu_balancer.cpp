#include "shm/sync/cpu_balancer.hpp"

#include <algorithm>

namespace tutti::shm {
namespace {

using namespace std::chrono_literals;

constexpr int calls_between_looks = 64;
/// Pause between two moves of a member: doubled by each, because another program may want its new CPU.
constexpr auto first_pause = 1ms, longest_pause = 1000ms;

/// Moves this thread to `cpu`, and restores its mask; if somebody else (taskset, another thread) has changed the mask
/// meanwhile, that one stays.
void move_to(int cpu, const cpu_set_t& allowed) {
  cpu_set_t one, now;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(cpu), &one);
  if (::sched_setaffinity(0, sizeof one, &one) != 0) return;
  if (::sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &one))
    ::sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace

CpuBalancer::CpuBalancer(LastCpuRow row, const Options& options)
    : row_(row),
      me_(options.me),
      size_(options.size),
      oversubscribed_(options.size > options.cpus),
      spreads_(options.spread),
      fair_((options.size + options.cpus - 1) / std::max(options.cpus, 1)),
      pause_(first_pause) {}

void CpuBalancer::publish(int ran_on) {
  mine_ = ran_on;
  calls_until_look_ = 0;
  row_[me_].store(ran_on, std::memory_order_relaxed);
}

void CpuBalancer::look() {
  calls_until_look_ = calls_between_looks;
  if (spreads_) spread();
  others_.resize(static_cast<std::size_t>(size_) - 1);
  auto beside = others_.begin(), elsewhere = others_.end();
  for (int i = 1; i < size_; ++i) {  // not all members read the same line at once
    const int member = (me_ + i) % size_;
    // Read once: a member that moves meanwhile must be in the list nevertheless.
    (beside_me(member) ? *beside++ : *--elsewhere) = member;
  }
  std::reverse(elsewhere, others_.end());
  beside_me_ = static_cast<std::size_t>(beside - others_.begin());
}

void CpuBalancer::spread() {
  int here = 0;
  for (int member = 0; member < size_; ++member) here += beside_me(member);
  if (here <= fair_ || !my_turn(here)) return;
  const auto now = Clock::now();
  cpu_set_t allowed;
  if (now < next_move_ || ::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  const int cpu = emptiest(allowed, here - 1);
  if (cpu < 0) return;
  next_move_ = now + pause_;
  pause_ = std::min<Clock::duration>(2 * pause_, longest_pause);
  move_to(cpu, allowed);
  note_mine();
}

/// One member at a time, in turns, because some may be bound to this CPU.
bool CpuBalancer::my_turn(int here) {
  int before_me = 0;
  for (int member = 0; member < me_; ++member) before_me += beside_me(member);
  return looks_++ % here == before_me;
}

/// The allowed CPU with the fewest members; -1 if it has not `fewer_than`, or not all members have published theirs.
int CpuBalancer::emptiest(const cpu_set_t& allowed, int fewer_than) const {
  std::vector<int> members(CPU_SETSIZE + 1);
  for (int member = 0; member < size_; ++member) {
    const int ran_on = row_[member].load(std::memory_order_relaxed);
    if (ran_on <= 0 || ran_on > CPU_SETSIZE) return -1;
    ++members[static_cast<std::size_t>(ran_on)];
  }
  int best = -1;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    const int there = members[static_cast<std::size_t>(cpu) + 1];
    if (CPU_ISSET(static_cast<unsigned>(cpu), &allowed) && there < fewer_than) best = cpu, fewer_than = there;
  }
  return best;
}

}  // namespace tutti::shm
