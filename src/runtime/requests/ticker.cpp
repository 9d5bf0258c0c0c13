#include "runtime/requests/ticker.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>

#include "runtime/requests/motion.hpp"

namespace tutti::runtime::ticker {
namespace {

constexpr long period = 1'000'000;  ///< nanoseconds
/// Periods without a call under way before it ends: making it costs about 25 us.
constexpr int patience = 200;
constexpr std::size_t stack_bytes = std::size_t{64} << 10;

enum Phase : int {
  none,
  making,
  ticking,
  over,    ///< the thread has ended by itself, and is to be joined
  ending,  ///< for good
};
std::atomic<int> phase{none};
std::atomic<pid_t> owner{0};  ///< the process that made it: a forked child has no such thread
pthread_t thread;

void* run(void*) {
  for (int idle = 0; idle < patience; ++idle) {
    const timespec pause{0, period};
    ::clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
    if (phase.load(std::memory_order_acquire) == ending) return nullptr;
    if (motion::tick()) idle = 0;
  }
  int was = ticking;
  phase.compare_exchange_strong(was, over);
  // A start between the last tick and this has found us ticking.
  if (motion::tick()) wake();
  return nullptr;
}

/// No signal of the program's is for this thread.
bool make() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  owner.store(::getpid());
  const bool made = pthread_create(&thread, &attributes, run, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return made;
}

bool of_this_process() { return owner.load() == ::getpid(); }

}  // namespace

void wake() {
  int now = phase.load(std::memory_order_relaxed);
  if (now != none && now != over) [[likely]]
    return;
  const bool ended = now == over;
  if (!phase.compare_exchange_strong(now, making)) return;
  if (ended && of_this_process()) {
    // The thread that ends may be the caller itself.
    if (pthread_equal(thread, pthread_self()) != 0)
      pthread_detach(thread);
    else
      pthread_join(thread, nullptr);
  }
  const bool made = make();
  now = making;
  phase.compare_exchange_strong(now, made ? ticking : ending);
}

void stop() noexcept {
  const int was = phase.exchange(ending);
  if ((was == ticking || was == over) && of_this_process()) pthread_join(thread, nullptr);
}

}  // namespace tutti::runtime::ticker
