#pragma once
/// One copy or two for long blocks: whichever takes less of the processors' time.
///
/// Two copies by the processes or one by the kernel: which costs less changes with what the caches hold and how large
/// they are.  Between two cores of a mesh 256 KiB of a bcast take 9 us in one copy by both sides and 17 in two where
/// the caches of the cores hold the buffers; of a bcast of 16 KiB two are the better way.  No rule can know that.  So
/// a block's writer tries both ways, and counts the cycles that it and its reader spend in copying, without what they
/// wait: the reader says its part along with its answer, or where it has read from the ring.
///
/// Where members share CPUs and all send to all, what counts is the processor's time of a call from the first block's
/// arrival on, with everything that belongs to a way: two copies go in more chunks, and members take turns at them.  By
/// the copies alone 8 ranks on two cores would copy blocks of 1 MiB twice, and take 14 % longer.
///
/// Where all send to all, all take the same way: of a pair that does not, each waits for what the other does first
/// (1 MiB: 400 us either way, 500 so).  Each tells along with its blocks where in its lesson it is and what it knows,
/// and all draw the same conclusion from the same sums.  Elsewhere the writer alone decides: readers follow.
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tutti::shm {

/// Nanoseconds that this thread has had a processor.
std::int64_t processor_time();

/// Of calls whose blocks have about one length, and lie in about the same caches.
class CopyChoice {
 public:
  /// The first calls go one way and then the other, `run` calls each, of which the last half are timed: before that
  /// caches still hold what the way before left there, and the first of all touch new pages.  After these two runs
  /// the cheaper way is taken.  Later runs of the other way cost 1 % of the time at most: the more the dearer it is,
  /// the rarer.
  static constexpr std::uint32_t run = 4, first_lesson = 2 * run, between_looks = 8, least_interval = 64,
                                 most_interval = 4096;
  /// `once`: the way that is tried first, and taken until the other one has been found cheaper.
  explicit constexpr CopyChoice(bool once) : once_(once) {}

  /// What a member says of itself to the others of its call.
  struct Told {
    std::uint32_t call = 0;          ///< of its period
    std::uint32_t two = 0, one = 0;  ///< what a line has cost it, in sixteenths of a cycle; 0: not known
    std::uint32_t kind = 0;          ///< of the choice that it has asked; others draw no conclusion
  };

  /// A call begins.
  void begin();
  bool once() const { return tries_other() ? !once_ : once_; }
  /// Whether took() is to be told of a block of this call.
  bool timed() const { return call_ <= first_lesson ? (call_ - 1) % run >= run / 2 : call_ % between_looks == 0; }
  Told told(std::uint32_t kind) const { return {call_, told_.two, told_.one, kind}; }
  void heard(const Told& other, std::uint32_t kind);
  /// What writer and reader of a block have needed together for a line, of this call or of one before; in cycles, or
  /// any other unit of about that length.
  void took(bool once, double a_line);
  /// The call is over.
  void end();

 private:
  struct Costs {
    std::uint32_t two = 0, one = 0;
    std::uint32_t of(bool once) const { return once ? one : two; }
  };
  bool tries_other() const { return call_ > run && call_ <= first_lesson; }
  void decide();

  bool once_, alone_ = false;
  std::uint32_t call_ = 0;                   ///< of this period; the first ones are a lesson
  std::uint32_t interval_ = least_interval;  ///< calls of a period
  std::uint32_t earliest_ = 0;               ///< of the calls that members are at
  Costs known_, told_, sums_;                ///< mine; as of this call's begin; everybody's, 0 if one does not know
  std::uint32_t settled_ = 0;                ///< what the way cost when it was chosen
  std::uint32_t surprises_ = 0;
};

}  // namespace tutti::shm
