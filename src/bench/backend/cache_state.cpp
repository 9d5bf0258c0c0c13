/// Prepares the caches for the mode of a timed call, and limits the calls that may follow one another without it.
#include <algorithm>

#include "bench/backend/measure.hpp"
#include "bench/batch.hpp"
#include "bench/flush.hpp"

namespace tutti::bench {

/// Of cold calls each has a buffer set of its own; warm ones all have the same, as in a program's loop.  One alone
/// where something has to be done to the buffers before the next.
int Measurement::most_together() const {
  int most = cache_ == CacheMode::cold ? fewest_sets_ : 1;
  if (cache_ == CacheMode::warm && !subject_->spoils_input()) most = most_in_batch;
  return options_.batch > 0 ? std::min(options_.batch, most) : most;
}

/// A warm call follows an equal one of the same variant, as in a program's loop: it removes from the caches what the
/// other variant and the check have left.
void Measurement::make_ready(int variant) {
  if (cache_ == CacheMode::cold) return;
  const Buffers ready = buffers(variant, 0);
  if (cache_ == CacheMode::warm) {
    (*subject_)(variants_[variant].functions, ready, contents_[0]);
    if (subject_->spoils_input()) subject_->fill(ready, contents_[0]);
    return;
  }
  start_.all_out();
  contents_[0] = repetition_;
  subject_->fill(ready, contents_[0]);
  if (cache_ == CacheMode::fresh) return;
  flush_from_caches(ready.send, static_cast<std::size_t>(subject_->send_bytes()));
  flush_from_caches(ready.receive, static_cast<std::size_t>(subject_->receive_bytes()));
}

}  // namespace tutti::bench
