#pragma once
/// One copy or two for long blocks: whichever takes less of the ranks' time.
///
/// Two copies by the processes or one by the kernel: the cheaper one depends on what the caches hold and how large they
/// are (256 KiB of a bcast between two cores of a mesh with warm caches: 9 us once, 17 twice; 16 KiB are faster twice).
/// No fixed rule can know that.  So a block's writer tries both, and counts the cycles that it and its reader spend on
/// it while both are there: the reader adds its part, waits included, to its answer, or to the ring's place that it has
/// read.  By the copies alone, two would seem cheaper where they make the other side wait.
///
/// Where all send to all, the cost is the time of a call but for the wait until the first block has arrived; where
/// members share CPUs, the processor time: two copies go in more chunks, and members take turns at them.
///
/// Where all send to all, all make the same choice: if the two members of a pair differ, each waits for what the other
/// does first (1 MiB: 500 us instead of 400).  Each sends its position in its measurements and its results along with
/// its blocks, and all draw the same conclusion from the same sums.  Elsewhere the writer decides alone, and readers
/// follow.
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tutti::shm {

/// Nanoseconds that this thread has had a processor.
std::int64_t processor_time();

/// Of calls whose blocks have about one length, and lie in about the same caches.
class CopyChoice {
 public:
  /// The first calls try one choice and then the other, `run` calls each.  The last half of a run is timed: before
  /// that, caches still hold what the other choice left there, and the first calls touch new pages.  After these two
  /// runs the cheaper choice is taken.  Later trials of the other one cost 1 % of the time at most: the dearer it is,
  /// the rarer they are.
  static constexpr std::uint32_t run = 4, first_lesson = 2 * run, between_looks = 8, least_interval = 64,
                                 most_interval = 4096;
  /// `once`: the choice that is tried first, and taken until the other one has been found cheaper.
  explicit constexpr CopyChoice(bool once) : once_(once) {}

  /// What a member publishes to the others of its call.
  struct Told {
    std::uint32_t call = 0;          ///< of its period
    std::uint32_t two = 0, one = 0;  ///< what a line has cost it, in sixteenths of a cycle; 0: not known
    std::uint32_t kind = 0;          ///< of the choice that it has used; others draw no conclusion
  };

  /// One of the two has become cheaper or dearer: both are tried again, the current choice first.
  void learn_anew() { call_ = 0, known_ = {}, settled_ = 0; }
  /// A call begins.
  void begin();
  bool once() const { return tries_other() ? !once_ : once_; }
  /// Whether blocks of this call are timed: then took() follows.
  bool timed() const { return call_ <= first_lesson ? (call_ - 1) % run >= run / 2 : call_ % between_looks == 0; }
  Told told(std::uint32_t kind) const { return {call_, told_.two, told_.one, kind}; }
  void heard(const Told& other, std::uint32_t kind);
  /// Cost of a line for writer and reader together, in this call or an earlier one; in cycles, or another unit of about
  /// that length.
  void took(bool once, double a_line);
  /// The call has ended.
  void end();

 private:
  struct Costs {
    std::uint32_t two = 0, one = 0;
    std::uint32_t of(bool once) const { return once ? one : two; }
  };
  bool tries_other() const { return call_ > run && call_ <= first_lesson; }
  void decide();

  bool once_, alone_ = false;
  std::uint32_t call_ = 0;                   ///< of this period; the first ones are trials
  std::uint32_t interval_ = least_interval;  ///< calls of a period
  std::uint32_t earliest_ = 0;               ///< earliest call of all members
  Costs known_, told_, sums_;                ///< mine; as of this call's begin; everybody's, 0 if one does not know
  std::uint32_t settled_ = 0;                ///< cost of the current choice when it was made
  std::uint32_t surprises_ = 0;
};

}  // namespace tutti::shm
