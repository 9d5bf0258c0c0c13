#include "node/copy_choice.hpp"

#include <algorithm>
#include <ctime>

#include "node/past_caches.hpp"

namespace tutti::node {
namespace {

/// Both, if both are known.
float sum(float of, float another) { return of != 0 && another != 0 ? of + another : 0; }

}  // namespace

std::int64_t processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

void CopyChoice::begin() {
  call_ = (call_ + 1) % period;
  sums_ = costs_;
  bytes_once_ = bytes_on_lanes_ = 0;
  any_came_ = false;
}

void CopyChoice::heard(const CopyCosts& costs) {
  if (timed() && !any_came_) began_ = clock_();
  any_came_ = true;
  sums_ = {sum(sums_.two, costs.two), sum(sums_.one, costs.one)};
}

void CopyChoice::end() {
  constexpr float margin = 0.05F;
  if (timed() && any_came_) look();
  if (sums_.two != 0 && sums_.one != 0) once_ = sums_.one < sums_.two * (once_ ? 1 + margin : 1 - margin);
}

/// A call that went both ways, as some other member chose otherwise, says nothing of either.
void CopyChoice::look() {
  constexpr std::size_t little = 8;  // a part
  constexpr double line = 64;
  const auto time = static_cast<double>(clock_() - began_);
  const auto [less, more] = std::minmax(bytes_once_, bytes_on_lanes_);
  if (more == 0 || less > more / little) return;
  // A line on a lane is written by one and read by another, each of which counts it.
  const bool once = bytes_once_ == more;
  float& known = once ? costs_.one : costs_.two;
  const double lines = static_cast<double>(more) / line;
  known = static_cast<float>(smoothed(known, time / (once ? lines : lines / 2)));
}

}  // namespace tutti::node
