#pragma once
/// How a member fills its own part of the shared memory: through the caches, or past them.
///
/// A line that another core has read must be taken away from there before it can be written again.  Cores that share a
/// cache settle that in a few cycles.  Between cores that do not, the writer waits some 30 ns for each line (2 GB/s,
/// whatever is fetched ahead), whereas stores past the caches (non-temporal ones) are not waited for: 12 GB/s over the
/// same pair of cores.  The reader then fetches from memory what it would have fetched from the writer's cache, which
/// costs about what the writer's stores cost, and loses where it shares a cache with the writer.  Which it is nobody
/// says (a virtual machine's processors move), so that the writer looks at the clock now and then and at times tries
/// the other way.  Each member decides for itself: readers see the same bytes either way.
#include <array>
#include <cstddef>

#include "node/copy.hpp"

namespace tutti::node {

enum class Way { through, past };

/// Which way is the cheaper one, from the cycles that writes took.
class Preference {
 public:
  struct Next {
    Way way;
    bool timed;  ///< took() is to be told
  };
  /// Of `period` writes one goes the other way.
  static constexpr unsigned period = 256, between_looks = 8;
  /// Cycles a line by which a reader's way to memory is longer than to a cache that it shares.
  static constexpr double farther = 16;

  Way way() const { return way_; }
  Next next() {
    const unsigned turn = turn_++ % period;
    return turn == first_other ? Next{other(way_), true} : Next{way_, turn % between_looks == 0};
  }
  void took(Way way, double cycles_a_line);

 private:
  static constexpr unsigned first_other = 20;  ///< when the pages of a ring of 16 have been touched
  static constexpr Way other(Way way) { return way == Way::past ? Way::through : Way::past; }

  std::array<double, 2> cycles_{};  ///< a line, smoothed; 0: not known yet
  Way way_ = Way::through;
  unsigned turn_ = 0;
};

class Stores {
 public:
  /// Bytes from which on it matters: shorter ones gained nothing on two cores without a common cache.
  static constexpr std::size_t least = 2048;

  /// Copies into lines that others have read before.
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes < least) return copy_bytes(to, from, bytes);
    copy_long(to, from, bytes);
  }
  /// Whether so many bytes would go past the caches now.
  bool past(std::size_t bytes) const { return bytes >= least && preference_.way() == Way::past; }

 private:
  void copy_long(std::byte* to, const std::byte* from, std::size_t bytes);

  Preference preference_;
};

}  // namespace tutti::node
