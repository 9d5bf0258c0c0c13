#include "runtime/platform/watchdog.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "runtime/report/journal.hpp"

namespace tutti::runtime {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;

}  // namespace

double watchdog_seconds() {
  const char* text = std::getenv("TUTTI_PATIENCE");
  const double seconds = text ? std::strtod(text, nullptr) : 0;
  return seconds > 0 ? seconds : 30;
}

/// What the thread and its maker share.
struct Watchdog::Sentry {
  Finding early, late;
  double seconds = 0;
  std::atomic<std::uint32_t> over{0};
  pthread_t thread{};
  bool running = false;

  /// For that long, or until it is over.  Whether it is not over.
  bool outlasts(double span) {
    const double whole = std::floor(span);
    const timespec limit{static_cast<time_t>(whole), static_cast<long>((span - whole) * 1e9)};
    timespec end{};
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += limit.tv_sec, end.tv_nsec += limit.tv_nsec;
    if (end.tv_nsec >= 1000000000) end.tv_nsec -= 1000000000, ++end.tv_sec;
    while (over.load(std::memory_order_acquire) == 0)
      if (syscall(SYS_futex, &over, FUTEX_WAIT_BITSET_PRIVATE, 0, &end, nullptr, FUTEX_BITSET_MATCH_ANY) != 0 &&
          errno == ETIMEDOUT)
        return over.load(std::memory_order_acquire) == 0;
    return false;
  }

  static void* stand(void* context) {
    Sentry& sentry = *static_cast<Sentry*>(context);
    const double soon = sentry.seconds / 6;
    if (!sentry.outlasts(soon)) return nullptr;
    if (const std::string found = sentry.early(soon); !found.empty()) journal::say(found);
    if (sentry.outlasts(sentry.seconds - soon)) journal::say(sentry.late(sentry.seconds));
    return nullptr;
  }

  /// No signal of the program's is for this thread.
  void start() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    running = pthread_create(&thread, &attributes, stand, this) == 0;  // else nobody is told
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
  }

  void end() {
    if (!running) return;
    over.store(1, std::memory_order_release);
    syscall(SYS_futex, &over, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    pthread_join(thread, nullptr);
  }
};

Watchdog::Watchdog(Finding early, Finding late) : sentry_(std::make_unique<Sentry>()) {
  sentry_->early = std::move(early), sentry_->late = std::move(late), sentry_->seconds = watchdog_seconds();
  sentry_->start();
}

Watchdog::~Watchdog() { sentry_->end(); }

}  // namespace tutti::runtime
