#pragma once
/// One copy or two for the blocks of an exchange between all: whichever takes less of the processor's time.
///
/// Two copies by the processes cost less than one by the kernel where blocks have left the caches; where they have not,
/// the kernel's needs three quarters of the time (8 ranks on two cores of a mesh, alltoall of 128 KiB: 795 and 880 us,
/// and 580 and 440).  So what goes where nothing has landed lately (landings.hpp) is copied twice, and of the rest the
/// clock decides.  In such an exchange every member writes as much as it reads, so that its own clock tells what both
/// halves of a way cost, and each writer decides alone.
#include <cstddef>
#include <cstdint>

#include "clock/cycles.hpp"

namespace tutti::node {

/// Cycles, and what has been copied in them.
struct Spent {
  std::uint64_t cycles = 0;
  std::size_t bytes = 0;
  /// A copy that began then is over.
  void add(std::uint64_t begin, std::size_t copied) { cycles += cycle_count() - begin, bytes += copied; }
  double a_line() const { return static_cast<double>(cycles) * 64 / static_cast<double>(bytes); }
};

/// Of calls with blocks of about one length.
class CopyChoice {
 public:
  /// Of `period` calls two go the other way, of which the second is timed: in the first one caches still hold what the
  /// way before left there.
  static constexpr unsigned period = 128, run = 2, between_looks = 8;

  /// A call begins.
  void begin() { call_ = (call_ + 1) % period; }
  /// Whether its blocks are copied once, and whether it is timed.
  bool once() const { return tries() ? !once_ : once_; }
  bool timed() const { return tries() ? call_ % run == run - 1 : call_ % between_looks == 0; }
  /// What the timed call took; no bytes: nothing went that way.
  void took(const Spent& written, const Spent& read, const Spent& copied_once);

 private:
  bool tries() const { return call_ / run == 1; }

  unsigned call_ = period - 1;
  bool once_ = false;
  double two_ = 0, one_ = 0;  ///< cycles a line, smoothed; 0: not known yet
};

}  // namespace tutti::node
