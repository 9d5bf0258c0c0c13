/// Before the first sample: warm-up calls, and what follows from how long they took.
#include <algorithm>

#include "bench/backend/measure.hpp"
#include "bench/batch.hpp"

namespace tutti::bench {

/// Also gives the estimate from which batch and chunk follow.  A variant that is slow beyond all measure (a library
/// that spins while a peer waits for its core) gets fewer calls, and one where a call takes all the time there is, one.
void Measurement::warm_up() {
  for (int v = 0; v < 2; ++v) {
    const Case& what = results_[v].what;
    const bool served = variants_[v].preloaded && what.other.empty() && what.manner == Manner::blocking;
    std::vector<double> times;
    double spent = 0;
    constexpr std::size_t needed = 3;
    const std::size_t wanted = std::max<std::size_t>(needed, static_cast<std::size_t>(options_.warm_ups));
    while (times.size() < wanted && spent < (times.size() < needed ? options_.seconds : options_.seconds / 4)) {
      times.push_back(slowest(v, static_cast<int>(times.size())));
      if (served) results_[v].choice = last_choice();  // the barrier below is served by another one
      spent += times.back();
      if (times.size() == 1)
        MPI_Barrier(team_.measured());  // what a first call asks for is made in one that synchronises
    }
    std::sort(times.begin(), times.end());
    quick_[v] = times.front();
    usual_[v] = times[times.size() / 2];
  }
}

/// What one of `most` short calls back to back takes: of a single one on shared cores most may be its start.
double Measurement::back_to_back(int variant, int most) {
  double least = quick_[variant];
  int& batch = results_[variant].batch;
  for (batch = 2; batch <= most && batch * least < longest_batch; batch *= 2)
    least = std::min(least, slowest(variant, 0));
  return least;
}

void Measurement::choose_batches() {
  if (!subject_->batches()) return;
  const int most = most_together();
  const bool same_function = variants_[0].preloaded == variants_[1].preloaded;
  const std::array seconds = {back_to_back(0, most), back_to_back(1, most)};
  const std::array batches = batches_for({seconds, start_.skew(), same_function, most});
  for (int v = 0; v < 2; ++v) results_[v].batch = batches[v];
}

}  // namespace tutti::bench
