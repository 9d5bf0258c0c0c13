#include "mpi/patience.hpp"

#include <signal.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "mpi/journal.hpp"

namespace tutti::mpi {

double patience() {
  const char* text = std::getenv("TUTTI_PATIENCE");
  const double seconds = text ? std::strtod(text, nullptr) : 0;
  return seconds > 0 ? seconds : 30;
}

/// One a thread, never freed: the timer may go off just as its watch ends.
struct Watch::Record {
  std::mutex mutex;
  std::function<std::string(double)> late;  ///< empty: nobody waits
  double seconds = 0;
  timer_t timer{};
  bool running = false;

  static Record& mine() {
    static thread_local auto& record = *new Record;
    return record;
  }
  static void over(sigval value) {
    Record& record = *static_cast<Record*>(value.sival_ptr);
    std::unique_lock lock(record.mutex);
    const auto late = std::exchange(record.late, nullptr);
    if (late) journal::say(late(record.seconds));
  }
};

Watch::Watch(std::function<std::string(double)> late) : record_(&Record::mine()) {
  {
    const std::lock_guard lock(record_->mutex);
    record_->late = std::move(late), record_->seconds = patience();
  }
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD, event.sigev_notify_function = Record::over, event.sigev_value.sival_ptr = record_;
  record_->running = timer_create(CLOCK_MONOTONIC, &event, &record_->timer) == 0;
  if (!record_->running) return;  // then nobody is told
  const double whole = std::floor(record_->seconds);
  itimerspec after{};
  after.it_value = {static_cast<time_t>(whole), static_cast<long>((record_->seconds - whole) * 1e9)};
  timer_settime(record_->timer, 0, &after, nullptr);
}

Watch::~Watch() {
  if (record_->running) timer_delete(record_->timer);
  const std::lock_guard lock(record_->mutex);
  record_->late = nullptr;
}

}  // namespace tutti::mpi
