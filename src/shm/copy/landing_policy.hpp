#pragma once
/// Store policy for results: how a member stores what it has read into the user's buffer.
///
/// A result of many MiB mostly goes to memory that has left the caches.  A cached store fetches each line first and
/// writes it back later; a non-temporal store only writes it: 7.4 and 10.5 GB/s on a core of a mesh whose neighbour
/// copies too.  Machines differ, so both policies are timed.  A buffer that received a result recently is still in the
/// caches and stays there: non-temporal stores would make it 5 to 25 % dearer, though the copy alone looks faster.
#include <algorithm>
#include <array>
#include <cstddef>

#include "shm/copy/copy.hpp"
#include "shm/copy/store_policy.hpp"

namespace tutti::shm {

/// The cheaper store policy for calls of about one length, by the cycles of timed copies.
class LandingPolicy {
 public:
  /// Bytes of a trial of the other policy, and from one trial to the next.  Lines stored non-temporally are not in the
  /// caches when they are stored to again: only a trial that covers all of the program's buffers shows that cost.
  static constexpr std::size_t trial = std::size_t{8} << 20, between_trials = std::size_t{256} << 20;

  void copy(std::byte* to, const std::byte* from, std::size_t bytes);
  Way way() const { return way_; }
  /// Policy of the next so many bytes, and whether they are timed: then took() follows.
  struct Next {
    Way way;
    bool timed;
  };
  Next next(std::size_t bytes);
  void took(Way way, double cycles_a_line);

 private:
  static constexpr Way other(Way way) { return way == Way::non_temporal ? Way::cached : Way::non_temporal; }

  std::array<double, 2> cycles_{};  ///< a line, smoothed; 0: not known yet
  Way way_ = Way::cached;
  std::size_t landed_ = between_trials - trial;  ///< since the last trial began
  unsigned copies_ = 0;
};

/// Bytes of results that the last-level caches hold for one of so many members.  Results are at least a quarter of the
/// cache traffic; the rest are slots, rings, and the program's own data.
std::size_t held_for_each(int members);

/// Buffers that received results recently.
class RecentBuffers {
 public:
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  /// Records that so many bytes are stored at `start`; returns the bytes stored anywhere since the last store there.
  std::size_t landed_since(const std::byte* start, std::size_t bytes);
  /// The same; returns whether the caches still hold the buffer, if they hold the last `held` bytes of results.
  bool still_held(const std::byte* start, std::size_t bytes, std::size_t held) {
    return landed_since(start, bytes) <= held;
  }

 private:
  struct Buffer {
    const std::byte* start = nullptr;
    std::size_t landed = 0;  ///< bytes everywhere, when its own were
  };
  std::size_t landed_ = 0;
  std::array<Buffer, 16> buffers_{};  ///< of those that fit the caches together more are rare
  std::size_t oldest_ = 0;
};

class LandingPolicies {
 public:
  /// For one of so many members that share the last-level cache.  Unless it `learns`: cached stores alone.
  explicit LandingPolicies(int members, bool learns = true)
      : members_(members), noted_from_(learns ? least_noted : unlimited) {}

  /// Bytes of a call, and of a piece of it, from which on non-temporal stores may be used.  Programs read their results
  /// soon: with that read counted, bcasts and allreduces gain from 1 MiB on (up to 10 %), and lose at 512 KiB (4 %).
  static constexpr std::size_t least = std::size_t{768} << 10, least_piece = StorePolicy::least;
  /// Bytes of a call from which on its buffer is recorded.
  static constexpr std::size_t least_noted = std::size_t{64} << 10;

  /// The call that begins will store so many bytes into the buffer at `start`.
  void expect(const std::byte* start, std::size_t bytes) {
    expect_little();
    if (bytes >= noted_from_) expect_long(start, bytes);
  }
  /// The call stores nothing, or so little that it uses cached stores.
  void expect_little() { landing_ = none; }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (landing_ == none || bytes < least_piece) return copy_bytes(to, from, bytes);
    by_length_[landing_].copy(to, from, bytes);
  }
  /// Whether non-temporal stores may be used for what is stored now.
  bool may_go_past() const { return landing_ != none; }

 private:
  void expect_long(const std::byte* start, std::size_t bytes);

  static constexpr std::size_t none = static_cast<std::size_t>(-1), unlimited = none;
  int members_;
  std::size_t noted_from_;
  std::size_t landing_ = none;
  RecentBuffers recent_;
  std::array<LandingPolicy, 3> by_length_;  ///< from 0.75, 1.5 and 3 MiB on: programs use their buffers differently
};

}  // namespace tutti::shm
