#include "bench/backend/costs/copy_time.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "bench/backend/buffers.hpp"
#include "bench/batch.hpp"

namespace tutti::bench {

namespace {

constexpr double copy_limit = 0.02;      ///< seconds for all samples of a copy
constexpr double shortest_batch = 3e-6;  ///< seconds, beside which reading the clock is no matter

/// Copies from one half of a buffer set to the other, set after set, as calls of that size meet their buffers; in one
/// set again and again, as warm ones do.
class Copying {
 public:
  Copying(std::int64_t bytes, int ranks_on_node, bool kept)
      : bytes_(static_cast<std::size_t>(bytes)), sets_(memory_, bytes, bytes, ranks_on_node, kept) {}

  double seconds() {
    std::vector<double> samples;
    sample();  // the first touches pages
    const double one = sample();
    const int most = sets_.shared() ? most_in_batch : sets_.count();
    while (batch_ < most && batch_ * one < shortest_batch) batch_ *= 2;
    const double end = now() + copy_limit;
    while (samples.size() < 5 || (now() < end && samples.size() < 1000)) samples.push_back(sample());
    return lower_quartile(samples);
  }

 private:
  double sample() {
    const double begin = now();
    for (int i = 0; i < batch_; ++i) {
      const Buffers buffers = sets_(0, next_ + i);
      std::memcpy(buffers.receive, buffers.send, bytes_);
      asm volatile("" : : "r"(buffers.receive) : "memory");
    }
    const double seconds = (now() - begin) / batch_;
    for (int i = 0; i < batch_ && !sets_.shared(); ++i)
      std::memset(sets_(0, next_ + i).send, ++contents_ & 0xff, bytes_);
    next_ = (next_ + batch_) % sets_.count();
    return seconds;
  }

  std::size_t bytes_;
  Memory memory_;
  BufferSets sets_;
  int batch_ = 1, next_ = 0, contents_ = 0;
};

}  // namespace

double lower_quartile(std::vector<double>& values) {
  const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), quarter, values.end());
  return *quarter;
}

bool kept_in_caches(CacheMode mode) { return mode == CacheMode::warm || mode == CacheMode::fresh; }

double copy_time(Team& team, std::int64_t bytes, bool kept) {
  if (bytes == 0) return 0;
  std::array<double, 1> seconds = {0};
  team.while_others_sleep([&] { seconds[0] = Copying(bytes, team.ranks_on_node(), kept).seconds(); });
  team.maximum(seconds);
  return seconds[0];
}

}  // namespace tutti::bench
