#pragma once
/// How a member fills its own part of the shared memory: through the caches, or past them.
///
/// A line that another core has read must be taken away from there before it can be written again.  Cores that share a
/// cache settle that in a few cycles.  Between cores that do not, the writer waits some 30 ns for each line (2 GB/s,
/// whatever is fetched ahead), whereas stores past the caches (non-temporal ones) are not waited for: 12 GB/s over the
/// same pair of cores.  The reader then fetches from memory what it would have fetched from the writer's cache: two
/// thirds of the time on a mesh (5 against 8 ns a line), more where it shares a cache with the writer.  Which it is
/// nobody says (a virtual machine's processors move), so that the writer looks at the clock now and then and at times
/// tries the other way; whoever reads what was timed looks at the clock too, and says what it took.  Each member
/// decides for itself: readers see the same bytes either way.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shm/copy/copy.hpp"
#include "shm/copy/non_temporal.hpp"

namespace tutti::shm {

enum class Way : std::uint8_t { cached, non_temporal };

/// What is filled: the two ways differ by another factor in each.  A brief payload is less than StorePolicy::least, but
/// more than a line; its way past the caches of the core ends in the one that all cores share (demote).
enum class Traffic : std::uint8_t { turn, stream, ring, brief };
inline constexpr std::size_t traffics = 4;

/// Whether the processor can hand lines over to the shared cache (CLDEMOTE).
bool can_demote();
/// Hands over the lines from `begin` up to `end`: a hint, and not waited for.
inline void demote([[maybe_unused]] const std::byte* begin, [[maybe_unused]] const std::byte* end) {
#if defined(__x86_64__)
  constexpr std::ptrdiff_t line = 64;
  // cldemote (%rdi), by its bytes: older assemblers do not know it, older processors do nothing.
  for (; begin < end; begin += line) asm volatile(".byte 0x0f, 0x1c, 0x07" : : "D"(begin) : "memory");
#endif
}

/// Asks for a line that I shall write, so that it is mine by then: a hint, and not waited for.
inline void ask_for_line([[maybe_unused]] const std::byte* at) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*at));  // no processor of 64 bits stumbles over it; GCC would not emit it for all
#elif defined(__GNUC__)
  __builtin_prefetch(at, 1);
#endif
}

/// Beside a payload.  The low byte: the way it took plus one, if its reader is to say what reading it costs; else 0.
/// The rest belongs to whoever posts it (slots.hpp).
using Note = std::uint64_t;
constexpr Note way_mask = 0xff;
constexpr Note note_of(Way way) { return static_cast<Note>(way) + 1; }
constexpr Way way_of(Note note) { return static_cast<Way>((note & way_mask) - 1); }

/// Cycles a line that a member needs to read what came either way; 0: not known.  Written by that member alone.
struct ReadCosts {
  std::array<std::atomic<float>, 2> cycles;

  void took(Way way, double cycles_a_line);
};

/// Which way is the cheaper one, from the cycles that writes took.
class Preference {
 public:
  struct Next {
    Way way;
    bool timed;  ///< took() is to be told
  };
  /// Of `period` writes a run goes the other way, twice round the ring: only lines that came that way before show what
  /// it costs for good (a reader's line took 21 cycles when one write of many went past the caches, 12 when all did).
  static constexpr unsigned period = 1024, run = 32, ring = 16, usual_looks = 8;
  explicit Preference(unsigned between_looks = usual_looks) : between_looks_(between_looks) {}
  /// Cycles a line by which a reader's way to memory is longer than to a cache that it shares.
  static constexpr double farther = 16;

  Way way() const { return way_; }
  Next next() {
    const unsigned turn = turn_++ % period, since = turn - first_other;  // huge before
    const bool settled = since % run >= ring || since >= 2 * run;
    return {since < run ? other(way_) : way_, settled && turn % (since < run ? 4 : between_looks_) == 0};
  }
  void took(Way way, double cycles_a_line);
  /// What a reader says.
  void heard(const ReadCosts& costs);

 private:
  void decide();
  static constexpr unsigned first_other = 32;  ///< when the pages of the ring have been touched
  static constexpr Way other(Way way) { return way == Way::non_temporal ? Way::cached : Way::non_temporal; }

  std::array<double, 2> cycles_{};   ///< a line, smoothed; 0: not known yet
  std::array<double, 2> reading_{};  ///< the same, of those who read
  Way way_ = Way::cached;
  unsigned turn_ = 0, between_looks_;
};

/// Brief payloads: their lines stay in the writer's caches, or are handed over once they are announced.  Between two
/// cores of a mesh the latter makes calls of 128 B to 1 KiB 7 to 10 % faster, as the reader need not ask the writer's
/// core.
class BriefStorePolicy {
 public:
  /// Which way the next payload takes, and whether `copy_timed` is to copy it.
  Preference::Next next() { return preference_.next(); }
  Note copy_timed(Way way, std::byte* to, const std::byte* from, std::size_t bytes);
  void heard(const ReadCosts& costs) { preference_.heard(costs); }

 private:
  Preference preference_{32};  // a look takes a fifth of such a call
};

class StorePolicy {
 public:
  /// Bytes from which on it matters: shorter ones gained nothing on two cores without a common cache.
  static constexpr std::size_t least = 2048;
  /// The same where shorter ones are handed over.
  static constexpr std::size_t least_beside_brief = 3072;

  /// Through the caches alone where it does not learn.
  explicit StorePolicy(bool learns = true) : learns_(learns && can_go_non_temporal) {}

  /// Copies into lines that others have read before.  Past the caches: at least `least` bytes.
  Note copy(std::byte* to, const std::byte* from, std::size_t bytes);
  void heard(const ReadCosts& costs) { preference_.heard(costs); }
  /// Whether the last copy did.
  bool went_non_temporal() const { return went_non_temporal_; }
  /// Whether so many bytes would go past the caches now.
  bool past(std::size_t bytes) const { return bytes >= least && preference_.way() == Way::non_temporal; }

 private:
  Preference preference_;
  bool learns_;
  bool went_non_temporal_ = false;
};

}  // namespace tutti::shm
