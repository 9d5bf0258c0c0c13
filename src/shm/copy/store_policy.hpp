#pragma once
/// Store policy: how a member fills its own part of the shared memory, by cached or non-temporal stores.
///
/// A line that another core has read must be taken from that core before it can be written again.  Cores that share a
/// cache do that in a few cycles.  Between other cores the writer waits some 30 ns for each line (2 GB/s, with or
/// without prefetching); non-temporal stores do not wait: 12 GB/s over the same pair of cores.  The reader then fetches
/// from memory instead of the writer's cache, which is faster or slower, depending on the pair.  Nothing reports the
/// kind of pair, and a virtual machine's processors move.  So the writer times some of its writes and tries the other
/// policy at times; the reader of a timed write is timed too and publishes its cost.  Each member decides alone:
/// readers see the same bytes.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shm/copy/copy.hpp"
#include "shm/copy/non_temporal.hpp"

namespace tutti::shm {

enum class Way : std::uint8_t { cached, non_temporal };

/// What is filled: the ratio of the two policies differs for each.  A brief payload is shorter than StorePolicy::least
/// and longer than a line; instead of non-temporal stores its lines are demoted to the cache that all cores share
/// (demote).
enum class Traffic : std::uint8_t { turn, stream, ring, brief };
inline constexpr std::size_t traffics = 4;

/// Whether the processor can demote lines to the shared cache (CLDEMOTE).
bool can_demote();
/// Demotes the lines from `begin` up to `end`: a hint, without waiting.
inline void demote([[maybe_unused]] const std::byte* begin, [[maybe_unused]] const std::byte* end) {
#if defined(__x86_64__)
  constexpr std::ptrdiff_t line = 64;
  // cldemote (%rdi), by its bytes: older assemblers do not know it, older processors do nothing.
  for (; begin < end; begin += line) asm volatile(".byte 0x0f, 0x1c, 0x07" : : "D"(begin) : "memory");
#endif
}

/// Prefetches a line for writing: a hint, without waiting.
inline void ask_for_line([[maybe_unused]] const std::byte* at) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*at));  // valid on every 64-bit processor, though GCC would not emit it for all
#elif defined(__GNUC__)
  __builtin_prefetch(at, 1);
#endif
}

/// A word beside a payload.  The low byte: the store policy plus one, if the reader is to publish its cost; else 0. The
/// rest belongs to the poster (slots.hpp).
using Note = std::uint64_t;
constexpr Note way_mask = 0xff;
constexpr Note note_of(Way way) { return static_cast<Note>(way) + 1; }
constexpr Way way_of(Note note) { return static_cast<Way>((note & way_mask) - 1); }

/// Cycles a line that a member needs to read data stored by either policy; 0: unknown.  Written by that member alone.
struct ReadCosts {
  std::array<std::atomic<float>, 2> cycles;

  void took(Way way, double cycles_a_line);
};

/// The cheaper store policy, by the cycles of timed writes.
class Preference {
 public:
  struct Next {
    Way way;
    bool timed;  ///< timed: took() follows
  };
  /// Of `period` writes a run uses the other policy, twice round the ring: only lines that were stored by it before
  /// show its steady cost (a reader's line took 21 cycles after a single non-temporal write, 12 when all were).
  static constexpr unsigned period = 1024, run = 32, ring = 16, usual_looks = 8;
  explicit Preference(unsigned between_looks = usual_looks) : between_looks_(between_looks) {}
  /// Additional cycles a line for a reader that reads from memory instead of a shared cache.
  static constexpr double farther = 16;

  Way way() const { return way_; }
  Next next() {
    const unsigned turn = turn_++ % period, since = turn - first_other;  // huge before
    const bool settled = since % run >= ring || since >= 2 * run;
    return {since < run ? other(way_) : way_, settled && turn % (since < run ? 4 : between_looks_) == 0};
  }
  void took(Way way, double cycles_a_line);
  /// Takes a reader's published cost.
  void heard(const ReadCosts& costs);

 private:
  void decide();
  static constexpr unsigned first_other = 32;  ///< once the pages of the ring have been touched
  static constexpr Way other(Way way) { return way == Way::non_temporal ? Way::cached : Way::non_temporal; }

  std::array<double, 2> cycles_{};   ///< a line, smoothed; 0: not known yet
  std::array<double, 2> reading_{};  ///< the same, of the readers
  Way way_ = Way::cached;
  unsigned turn_ = 0, between_looks_;
};

/// Brief payloads: their lines stay in the writer's caches, or are demoted once they are announced.  Between two cores
/// of a mesh the latter makes calls of 128 B to 1 KiB 7 to 10 % faster, because the reader need not snoop the writer's
/// core.
class BriefStorePolicy {
 public:
  /// Policy of the next payload, and whether `copy_timed` is to copy it.
  Preference::Next next() { return preference_.next(); }
  Note copy_timed(Way way, std::byte* to, const std::byte* from, std::size_t bytes);
  void heard(const ReadCosts& costs) { preference_.heard(costs); }

 private:
  Preference preference_{32};  // timing takes a fifth of such a call
};

class StorePolicy {
 public:
  /// Bytes from which on the policy matters: shorter payloads gained nothing on two cores without a common cache.
  static constexpr std::size_t least = 2048;
  /// The same, where shorter payloads are demoted.
  static constexpr std::size_t least_beside_brief = 3072;

  /// Unless it `learns`: cached stores alone.
  explicit StorePolicy(bool learns = true) : learns_(learns && can_go_non_temporal) {}

  /// Copies into lines that others have read before.  Non-temporal stores need at least `least` bytes.
  Note copy(std::byte* to, const std::byte* from, std::size_t bytes);
  void heard(const ReadCosts& costs) { preference_.heard(costs); }
  /// Whether the last copy was non-temporal.
  bool went_non_temporal() const { return went_non_temporal_; }
  /// Whether so many bytes would be stored non-temporally now.
  bool past(std::size_t bytes) const { return bytes >= least && preference_.way() == Way::non_temporal; }

 private:
  Preference preference_;
  bool learns_;
  bool went_non_temporal_ = false;
};

}  // namespace tutti::shm
