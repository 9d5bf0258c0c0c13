#include "shm/copy/landing_policy.hpp"

#include <bit>
#include <cstdint>
#include <utility>

#include "clock/cycles.hpp"
#include "shm/copy/non_temporal.hpp"
#include "shm/sync/topology.hpp"

namespace tutti::shm {

std::size_t held_for_each(int members) {
  constexpr std::int64_t unknown = std::int64_t{32} << 20, others = 4;
  static const std::int64_t caches = bytes_of_caches();
  return static_cast<std::size_t>((caches > 0 ? caches : unknown) / others / std::max(members, 1));
}

std::size_t RecentBuffers::landed_since(const std::byte* start, std::size_t bytes) {
  landed_ += bytes;
  for (Buffer& buffer : buffers_) {
    if (buffer.start != start) continue;
    return landed_ - std::exchange(buffer.landed, landed_);
  }
  buffers_[oldest_] = {start, landed_};
  oldest_ = (oldest_ + 1) % buffers_.size();
  return unknown;
}

void LandingPolicies::expect_long(const std::byte* start, std::size_t bytes) {
  const bool held = recent_.still_held(start, bytes, held_for_each(members_));
  if (!held && bytes >= least)
    landing_ = std::min<std::size_t>(std::bit_width(bytes / least) - 1, by_length_.size() - 1);
}

/// The second half of a trial is timed, when the stores before it no longer matter.
LandingPolicy::Next LandingPolicy::next(std::size_t bytes) {
  constexpr unsigned between_looks = 8;
  if (landed_ >= between_trials) landed_ = 0;
  landed_ += bytes;
  const bool tries = landed_ <= trial, settled = !tries || landed_ > trial / 2;
  return {tries ? other(way_) : way_, settled && ++copies_ % (tries ? between_looks / 4 : between_looks) == 0};
}

/// Cached stores are worth somewhat more than their own time, because the next user finds the lines in the caches.
void LandingPolicy::took(Way way, double cycles_a_line) {
  constexpr double at_hand = 1.1, margin = 0.05;
  double& known = cycles_[static_cast<std::size_t>(way)];
  known = smoothed(known, cycles_a_line);
  const auto [through, past] = cycles_;
  if (through == 0 || past == 0 || landed_ <= trial) return;
  way_ = through > past * at_hand * (way_ == Way::non_temporal ? 1 - margin : 1 + margin) ? Way::non_temporal
                                                                                          : Way::cached;
}

void LandingPolicy::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  const auto [way, timed] = next(bytes);
  const std::uint64_t begin = timed ? cycle_count() : 0;
  way == Way::non_temporal ? copy_non_temporal(to, from, bytes) : copy_bytes(to, from, bytes);
  if (!timed) return;
  constexpr double line = 64;
  took(way, static_cast<double>(cycle_count() - begin) * line / static_cast<double>(bytes));
}

}  // namespace tutti::shm
