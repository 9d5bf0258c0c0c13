/// After some repetitions: from each rank's times to samples that all ranks know.
#include <algorithm>
#include <numeric>

#include "bench/backend/measure.hpp"

namespace tutti::bench {

/// What is measured of the machine before the samples, for what they will be compared with.
void Measurement::prepare_arrivals() {
  if (!skewing_) return;
  const auto call = subject_->exit_call(0);
  const ExitCosts costs = call ? costing_.costs(results_[0].what, *call) : ExitCosts{};
  for (Result& result : results_) result.arrivals = {skewing_.seconds(), skewing_.message(), {}, {}, {}, Waits(costs)};
}

/// On a machine so busy that hardly any start was in time, late repetitions are better than none; `late` counts them.
void Measurement::keep_late_ones_if_needed() {
  for (int v = 0; v < 2; ++v)
    if (results_[v].seconds.size() < fewest)
      for (Known& repetition : late_[v]) count(v, std::move(repetition));
}

/// Converts local times to those of the slowest rank, and agrees on the time spent and on wrong results.
void Measurement::share(int repetitions) {
  samples_.flush();
  local_.push_back(now() - begin_);
  for (const std::int64_t wrong : local_wrong_) local_.push_back(static_cast<double>(wrong));
  team_.maximum(local_);
  if (skewing_) local_passages_ = team_.table_at_root(local_passages_);
  team_.maximum(local_overlap_);
  for (int v = 0; v < 2; ++v) {
    Result& result = results_[v];
    const std::size_t late_before = late_[v].size();
    for (int i = 0; i < repetitions; ++i) take(v, i, repetitions);
    for (std::size_t i = 2 * static_cast<std::size_t>(v); i < local_overlap_.size(); i += 4) {
      result.overlap.together.push_back(local_overlap_[i]);
      result.overlap.compute.push_back(local_overlap_[i + 1]);
    }
    result.late = static_cast<std::int64_t>(late_[v].size());
    result.wrong = static_cast<std::int64_t>(local_[local_.size() - 2 + v]);
    if ((late_[v].size() - late_before) * 5 > static_cast<std::size_t>(repetitions)) start_.widen_margin();
  }
  elapsed_ = local_[local_.size() - 3];
}

/// One repetition of a chunk of so many.
void Measurement::take(int variant, int place, int chunk) {
  Result& result = results_[variant];
  const double* const kept = local_.data() + per_repetition * place + per_sample * variant;
  const double first = -kept[0], last_exit = kept[1], last = kept[3];
  if (kept[2] <= 0 && kept[4] > 0) ++result.timed_out;
  const bool late = kept[2] > (skewing_ ? skewing_.tolerance() : 0);
  const bool wanted = !late || result.seconds.size() < fewest;  // of late ones that will not count, the number alone
  Known repetition{(last_exit - first) / result.batch, 0, 0, {}, {}};
  if (skewing_) repetition = {last_exit - last, last_exit - first, last - first, {}, {}};
  if (skewing_ && wanted && team_.rank() == 0) {
    const double* const passage = local_passages_.data() + per_passage * place + per_passage / 2 * variant;
    repetition.call = subject_->exit_call(static_cast<std::int64_t>(passage[2]));
    repetition.stay = stay(variant, place, chunk);
  }
  if (late)
    late_[variant].push_back(std::move(repetition));
  else
    count(variant, std::move(repetition));
}

Stay Measurement::stay(int variant, int place, int chunk) const {
  Stay found{repetition_ - chunk + place, {}, {}, {}};
  const double* passage = local_passages_.data() + per_passage * place + per_passage / 2 * variant;
  for (int rank = 0; rank < team_.size(); ++rank, passage += per_passage * chunk) {
    found.arrivals.push_back(passage[0]);
    found.exits.push_back(passage[1]);
  }
  return found;
}

/// A repetition that is a sample.
void Measurement::count(int variant, Known repetition) {
  Result& result = results_[variant];
  result.seconds.push_back(repetition.seconds);
  if (!skewing_) return;
  Arrivals& arrivals = result.arrivals;
  arrivals.total.push_back(repetition.total);
  arrivals.apart.push_back(repetition.apart);
  const Stay& stay = repetition.stay;
  if (stay.exits.empty()) return;
  const double waits = std::transform_reduce(stay.exits.begin(), stay.exits.end(), stay.arrivals.begin(), 0.0,
                                             std::plus(), std::minus());
  arrivals.wait.push_back(waits / team_.size());
  if (repetition.call) arrivals.waits.add(*repetition.call, std::move(repetition.stay));
}

}  // namespace tutti::bench
