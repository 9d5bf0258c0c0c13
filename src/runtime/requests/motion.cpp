#include "runtime/requests/motion.hpp"

#include <algorithm>
#include <vector>

#include "runtime/requests/ticker.hpp"
#include "runtime/wire/mpi_progress.hpp"
#include "shm/sync/waiting.hpp"

namespace tutti::runtime::motion {
namespace {

constexpr unsigned rounds_before_yield = 8;  ///< of `looks` of about 25 ns: 10 us
constexpr int looks = 50;                    ///< by one that waits, before other calls move
constexpr unsigned rounds_of_ours = 4;       ///< between two calls that make the MPI move messages

std::atomic<bool> locked{false};
/// Set by every move of the program's, taken back by the ticker: while the program moves its calls itself, the ticker
/// does not.
std::atomic<bool> moved{false};
std::atomic<bool> shares_cpus{false};

/// Channels that have had a call.
std::vector<Channel*>& channels() {
  static auto& channels = *new std::vector<Channel*>;  // outlives every static object
  return channels;
}

/// With the lock.
void move_one(Channel& channel, bool mpi, int looks) {
  if (channel.idle()) return;
  channel.move(mpi, looks);
  if (channel.idle()) under_way.fetch_sub(1, std::memory_order_relaxed);
}

/// With the lock.
void move_all(bool mpi) {
  for (std::size_t i = 0; i < channels().size(); ++i) move_one(*channels()[i], mpi, 0);
}

bool try_lock() { return !locked.exchange(true, std::memory_order_acquire); }
void unlock() { locked.store(false, std::memory_order_release); }

}  // namespace

Lock::Lock() {
  while (!try_lock()) shm::yield();
}
Lock::~Lock() { unlock(); }

void start(Request& request) {
  Channel& channel = *request.channel;
  const bool first = channel.idle();
  channel.start(request);
  if (!first) return;
  channel.move(true);
  if (channel.idle()) return;
  under_way.fetch_add(1, std::memory_order_relaxed);
  moved.store(true, std::memory_order_relaxed);
  ticker::wake();
  if (channel.listed) return;
  channel.listed = true;
  channels().push_back(&channel);
  if (channel.oversubscribed()) shares_cpus.store(true, std::memory_order_relaxed);
}

void move() {
  if (!try_lock()) return;
  move_all(true);
  moved.store(true, std::memory_order_relaxed);
  unlock();
}

void await(const Request& request) {
  for (unsigned rounds = 0; !request.done(); ++rounds) {
    if (try_lock()) {
      move_one(*request.channel, true, shares_cpus.load(std::memory_order_relaxed) ? 0 : looks);
      if (!request.done() && under_way.load(std::memory_order_relaxed) > 1) move_all(true);
      moved.store(true, std::memory_order_relaxed);
      unlock();
      if (request.done()) return;
    }
    if (rounds % rounds_of_ours == rounds_of_ours - 1) look_for_messages(request.channel->comm());
    rest(rounds);
  }
}

void rest(unsigned rounds) {
  if (shares_cpus.load(std::memory_order_relaxed) || rounds >= rounds_before_yield)
    shm::yield();
  else
    shm::pause();
}

bool tick() {
  if (under_way.load(std::memory_order_relaxed) == 0) return false;
  if (moved.exchange(false, std::memory_order_relaxed) || !try_lock()) return true;
  move_all(false);
  unlock();
  return true;
}

void forget(Channel& channel) {
  const Lock lock;
  if (!channel.idle()) under_way.fetch_sub(1, std::memory_order_relaxed);
  std::erase(channels(), &channel);
}

void stop() noexcept { ticker::stop(); }

}  // namespace tutti::runtime::motion
