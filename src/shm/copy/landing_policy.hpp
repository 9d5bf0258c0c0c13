#pragma once
/// How what a member has read comes to lie in the user's buffer.
///
/// A result of many MiB mostly goes to memory that has long left the caches.  Stored through them each of its lines is
/// fetched first and written back later; past them it is only written: 7.4 and 10.5 GB/s on a core of a mesh whose
/// neighbour copies too.  Nobody says whether that is so on this machine, so both ways are timed.  Where something has
/// landed lately, so that it still is in the caches, they are left as they are: what is stored past them comes 5 to
/// 25 % dearer then, though the copy alone looks faster.
#include <algorithm>
#include <array>
#include <cstddef>

#include "shm/copy/copy.hpp"
#include "shm/copy/store_policy.hpp"

namespace tutti::shm {

/// Which way is the cheaper one for calls of about one length, from the cycles that copies took.
class LandingPolicy {
 public:
  /// Bytes of a trial of the other way, and from one trial to the next.  What was stored past the caches is not there
  /// when it is stored to again: only where a trial has gone round the program's buffers the other way shows its cost.
  static constexpr std::size_t trial = std::size_t{8} << 20, between_trials = std::size_t{256} << 20;

  void copy(std::byte* to, const std::byte* from, std::size_t bytes);
  Way way() const { return way_; }
  /// How the next so many bytes go, and whether took() is to be told.
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

/// Bytes of results that the last-level caches hold for one of so many members: of what goes through them, results are
/// a quarter or more; the rest are messages, rings, and what the program does meanwhile.
std::size_t held_for_each(int members);

/// Where results have landed lately.
class RecentBuffers {
 public:
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  /// Notes that so many bytes land at `start`; how many have since some landed there before.
  std::size_t landed_since(const std::byte* start, std::size_t bytes);
  /// The same; whether the caches still hold what landed there before, if they hold the last `held` bytes of results.
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
  /// Of one of so many members, who share the last-level cache.  Where it does not learn: through the caches alone.
  explicit LandingPolicies(int members, bool learns = true)
      : members_(members), noted_from_(learns ? least_noted : unlimited) {}

  /// Bytes of a call, and of a piece of it, from which on lines may be stored past the caches.  Programs read their
  /// results soon: with that counted, bcasts and allreduces of 128 KiB lost up to 20 % by it, those of 512 KiB 4 %;
  /// of 1 MiB they gained up to 10 %, allgathers of 4 and 8 MiB 15 %.
  static constexpr std::size_t least = std::size_t{768} << 10, least_piece = StorePolicy::least;
  /// Bytes of a call from which on it is noted where they land.
  static constexpr std::size_t least_noted = std::size_t{64} << 10;

  /// In the call that begins so many bytes will land in the buffer that begins at `start`.
  void expect(const std::byte* start, std::size_t bytes) {
    expect_little();
    if (bytes >= noted_from_) expect_long(start, bytes);
  }
  /// Nothing lands, or so little that it goes through the caches.
  void expect_little() { landing_ = none; }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (landing_ == none || bytes < least_piece) return copy_bytes(to, from, bytes);
    by_length_[landing_].copy(to, from, bytes);
  }
  /// Whether what lands now may go past the caches.
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
