#include "runtime/requests/motion.hpp"

#include <algorithm>
#include <vector>

#include "runtime/requests/messages/progress_hook.hpp"
#include "runtime/requests/ticker.hpp"
#include "runtime/wire/mpi_progress.hpp"
#include "shm/sync/waiting.hpp"

namespace tutti::runtime::motion {
namespace {

constexpr unsigned rounds_before_yield = 8;  ///< of `looks` of about 25 ns: 10 us
constexpr int looks = 50;                    ///< by one that waits, before other calls move
constexpr unsigned rounds_of_ours = 4;       ///< between two calls that make the MPI move messages

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
void count(int more) { under_way.store(under_way.load(std::memory_order_relaxed) + more, std::memory_order_relaxed); }

/// With the lock.
void move_one(Channel& channel, bool mpi, int looks) {
  if (channel.idle()) return;
  channel.move(mpi, looks);
  if (channel.idle()) count(-1);
}

/// With the lock.
void move_all(bool mpi) {
  for (std::size_t i = 0; i < channels().size(); ++i) move_one(*channels()[i], mpi, 0);
}

}  // namespace

void start(Request& request) {
  Channel& channel = *request.channel;
  const bool first = channel.idle();
  channel.start(request);
  if (!first) return ticker::wake();
  const bool given = channel.give();
  if (!given) channel.move(true);
  if (channel.idle()) return;
  count(1);
  moved.store(true, std::memory_order_relaxed);
  if (!given) ticker::wake();
  if (channel.listed) return;
  channel.listed = true;
  channels().push_back(&channel);
  if (channel.oversubscribed()) shares_cpus.store(true, std::memory_order_relaxed);
}

namespace {

/// A wait of a call that runs in its caller, with the lock.
class Idle {
 public:
  explicit Idle(MPI_Comm comm) : comm_(comm), looks_(looks_each()) {}
  Suspend suspension() {
    return {[](void* self) { static_cast<Idle*>(self)->wait(); }, this};
  }

 private:
  static int looks_each() { return shares_cpus.load(std::memory_order_relaxed) ? 0 : looks; }
  void wait() {
    if (looks_-- > 0) return shm::pause();
    looks_ = looks_each();
    moved.store(true, std::memory_order_relaxed);
    if (under_way.load(std::memory_order_relaxed) > 1) move_all(true);
    Lock::leave();
    if (rounds_ % rounds_of_ours == rounds_of_ours - 1) look_for_messages(comm_);
    rest(rounds_++);
    while (!Lock::try_enter()) shm::yield();
  }

  MPI_Comm comm_;
  unsigned rounds_ = 0;
  int looks_;
};

/// With the lock.
void finish(Channel& channel) {
  Idle idle(channel.comm());
  channel.finish(idle.suspension());
  if (!channel.idle()) channel.move(true);
  if (channel.idle()) count(-1);
  moved.store(true, std::memory_order_relaxed);
}

}  // namespace

void move() {
  if (!Lock::try_enter()) return;
  move_all(true);
  moved.store(true, std::memory_order_relaxed);
  Lock::leave();
}

void await(const Request& request) {
  for (unsigned rounds = 0; !request.done(); ++rounds) {
    if (Lock::try_enter()) {
      if (request.channel->can_finish(request)) {
        finish(*request.channel);
        return Lock::leave();
      }
      move_one(*request.channel, true, shares_cpus.load(std::memory_order_relaxed) ? 0 : looks);
      if (!request.done() && under_way.load(std::memory_order_relaxed) > 1) move_all(true);
      moved.store(true, std::memory_order_relaxed);
      Lock::leave();
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
  if (moved.exchange(false, std::memory_order_relaxed) || !Lock::try_enter()) return true;
  move_all(progress_hook::by_ticker());
  Lock::leave();
  return true;
}

void forget(Channel& channel) {
  const Lock lock;
  if (!channel.idle()) count(-1);
  std::erase(channels(), &channel);
}

void stop() noexcept {
  ticker::stop();
  progress_hook::remove();
}

}  // namespace tutti::runtime::motion
