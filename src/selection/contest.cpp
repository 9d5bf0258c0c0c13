#include "selection/contest.hpp"

#include <algorithm>

namespace tutti {
namespace {

/// A side that is not at least 1 in so many faster does not replace the other: within that, trials of one thing differ.
constexpr std::int64_t least_gain = 32;

/// Of whole turns the shortest: what another process took of the CPU is no part of them.  Of calls their median.
std::int64_t typical(std::vector<std::int64_t> samples, bool shortest) {
  if (samples.empty()) return 0;
  const auto wanted = samples.begin() + static_cast<std::ptrdiff_t>(shortest ? 0 : (samples.size() - 1) / 2);
  std::ranges::nth_element(samples, wanted);
  return *wanted;
}

}  // namespace

void Contest::start_over() {
  calls_ = 0;
  for (std::vector<std::int64_t>& samples : samples_) samples.clear(), samples.reserve(turns * longest_turn / sides);
}

void Contest::took(std::int64_t began, std::int64_t ended) {
  std::vector<std::int64_t>& samples = samples_[static_cast<std::size_t>(turn())];
  const int place = calls_ % at_a_turn_;
  if (place == 0)
    turn_began_ = ended;
  else if (!whole_turns_)
    samples.push_back(ended - began);
  else if (place == at_a_turn_ - 1)
    samples.push_back((ended - turn_began_) / (at_a_turn_ - 1));
  ++calls_;
}

std::array<std::int64_t, Contest::sides> Contest::times() const {
  return {typical(samples_[0], whole_turns_), typical(samples_[1], whole_turns_)};
}

void Contest::decide(std::span<const std::int64_t, sides> slowest) {
  for (std::size_t side = 0; side < estimates_.size(); ++side)
    estimates_[side] = estimates_[side] == 0 ? slowest[side] : (estimates_[side] + slowest[side]) / 2;
  const Side other = winner_ == Side::engine ? Side::native : Side::engine;
  const bool better = estimate(other) * least_gain < estimate(winner_) * (least_gain - 1);
  if (better) winner_ = other;
  // Who takes turns at being the better is no better: trials of such a kind stay a fifth of its calls.
  if (better) interval_ = std::max<std::int64_t>(first_review, 4 * turns * at_a_turn_);
  left_ = interval_;
  interval_ = std::min(interval_ * reviews_grow, last_review);
  at_a_turn_ = std::min(2 * at_a_turn_, longest_turn);
  start_over();
}

}  // namespace tutti
