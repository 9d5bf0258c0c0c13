#pragma once
/// One copy or two for the blocks of an exchange between all: whichever takes less of the processors' time.
///
/// Two copies by the processes or one by the kernel: which costs less changes with what the caches hold and how large
/// they are.  8 ranks on two cores of a mesh, alltoall of 128 KiB: 795 us in two copies and 880 in one, and 580 and 440
/// where caches hold the buffers; on another mesh, of 1 MiB, 7.9 ms and 6.9 either way.  So both ways are tried.  What
/// counts is the processor's time from the first block's arrival on, with everything that belongs to a way: two copies
/// go in more chunks, and members that share a CPU take turns at them.
///
/// All members take the same way, or nobody could say what a way costs: each sends what it knows along with its blocks,
/// and all draw the same conclusion from the same sums.  Where they do not hear from one another (blocks of nothing)
/// they may differ for a while; that is no more than slow, as it is the writer who says which way a block goes.
#include <cstddef>
#include <cstdint>

namespace tutti::node {

/// What a member's processor needs for a line that it is sent and one that it sends, in nanoseconds; 0: not known.
struct CopyCosts {
  float two = 0, one = 0;
};

/// Nanoseconds that this thread has had a processor.
std::int64_t processor_time();

/// Of calls with blocks of about one length.
class CopyChoice {
 public:
  /// Of `period` calls a run goes the other way, of which the last is timed: before it caches still hold what the way
  /// before left there (13 ns a line in the second, 9 in the fourth), and the first of all touch new pages.
  static constexpr unsigned period = 256, run = 4, between_looks = 8;
  using Clock = std::int64_t (*)();
  /// `once`: what is taken until the other way has been found cheaper.
  explicit constexpr CopyChoice(bool once, Clock clock = processor_time) : clock_(clock), once_(once) {}

  /// A call begins.
  void begin();
  /// Whether its blocks are copied once, and whether it is timed.
  bool once() const { return tries() ? !once_ : once_; }
  bool timed() const { return call_ % (tries() ? run : between_looks) == run - 1; }
  /// What I say to whoever I send blocks in this call.
  const CopyCosts& costs() const { return costs_; }
  /// A block has come, and this is what its writer says; before it is copied.
  void heard(const CopyCosts& costs);
  /// So many bytes of it, or of one that I send, are copied once, or take a lane.
  void moves(std::size_t bytes, bool once) { (once ? bytes_once_ : bytes_on_lanes_) += bytes; }
  /// The call is over.
  void end();

 private:
  bool tries() const { return call_ / run == 1; }
  void look();

  Clock clock_;
  unsigned call_ = period - 1;
  bool once_;
  CopyCosts costs_, sums_;  ///< mine, smoothed; everybody's as of this call's begin, or 0 if one does not know yet
  std::size_t bytes_once_ = 0, bytes_on_lanes_ = 0;
  std::int64_t began_ = 0;
  bool any_came_ = false;
};

}  // namespace tutti::node
