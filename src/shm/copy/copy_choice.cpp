#include "shm/copy/copy_choice.hpp"

#include <ctime>
#include <utility>

#include "shm/copy/non_temporal.hpp"

namespace tutti::shm {
namespace {

/// Both, if both are known.
std::uint32_t sum(std::uint32_t of, std::uint32_t another) { return of != 0 && another != 0 ? of + another : 0; }

}  // namespace

std::int64_t processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

/// A period begins with the current choice, unless its cost is known already, and then tries the other one.
void CopyChoice::begin() {
  if (call_ >= interval_) call_ = run;
  earliest_ = ++call_;
  told_ = sums_ = known_;
  alone_ = false;
}

void CopyChoice::heard(const Told& other, std::uint32_t kind) {
  alone_ = alone_ || other.kind != kind;
  earliest_ = std::min(earliest_, other.call);
  sums_ = {sum(sums_.two, other.two), sum(sums_.one, other.one)};
}

/// Disturbances only lengthen a copy: a shorter time counts at once, a longer one gradually.
void CopyChoice::took(bool once, double a_line) {
  constexpr double unit = 16, most = 1 << 20;
  if (a_line <= 0) return;
  std::uint32_t& known = once ? known_.one : known_.two;
  const double found = std::clamp(unit * a_line, 1.0, most);
  const bool counts = known == 0 || found < known;
  known = static_cast<std::uint32_t>(counts ? found : smoothed(known, found));
}

/// Members that have used different choices, or are not at the same call, continue together from the earliest.
void CopyChoice::end() {
  if (alone_) {
    --call_;
  } else if (earliest_ != call_) {
    call_ = earliest_;
  } else if (!tries_other()) {
    decide();
  }
}

void CopyChoice::decide() {
  constexpr double margin = 0.05, share = 0.01, much = 1.5;
  constexpr std::uint32_t often = 3;
  const double mine = sums_.of(once_), other = sums_.of(!once_);
  if (mine == 0 || other == 0) return;
  if (other < mine * (1 - margin)) once_ = !once_;
  const double least = std::min(mine, other), dearer = std::max(mine, other) / least - 1;
  interval_ = static_cast<std::uint32_t>(std::clamp<double>(run * dearer / share, least_interval, most_interval));
  // Where the current choice has become much dearer, the other one is tried now, not some hundred calls later.
  surprises_ = settled_ != 0 && least > much * settled_ ? surprises_ + 1 : 0;
  if (settled_ == 0 || least < settled_ || surprises_ > often) settled_ = static_cast<std::uint32_t>(least);
  if (std::exchange(surprises_, surprises_ % (often + 1)) > often) call_ = interval_;
}

}  // namespace tutti::shm
