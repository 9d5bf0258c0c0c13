#pragma once
/// From which call on the ranks of a communicator are served: agreed on in shared memory, without any rank waiting.
///
/// Nonblocking calls may not wait for other ranks, so the ranks cannot agree at one of them.  But all number their
/// calls alike.  Each rank joins at some call of its own, and passes the ones before on to the MPI.  From then on it
/// asks, for each call in turn, whether that is served; whoever asks first decides for all, by one compare-and-swap:
/// the call is the first that is served if every rank has joined, and none has joined later; else it is the MPI's.
/// Where a call may wait for the others, ranks join and wait for the rest before they ask: then that call is the first.
#include <atomic>
#include <cstdint>

namespace tutti::runtime {

class Turnover {
 public:
  /// Bytes of shared memory, zeros at first.
  static std::size_t bytes(int ranks);
  Turnover(void* memory, int me, int ranks);

  /// This rank has mapped the memory.  The others learn it.
  void arrive();
  bool all_arrived() const;
  /// This rank is ready to be served from call `number` on, and asks for each from there on.  `able`: one fact of which
  /// all learn whether it holds everywhere.
  void join(std::uint32_t number, bool able);
  bool joined() const { return joined_; }
  bool all_joined() const;
  /// Whether call `number` is served.  Asked once for each call, in their order.
  bool serves(std::uint32_t number);
  /// Whether all are able.  Once a call is served.
  bool all_able() const;

 private:
  struct alignas(64) Member {
    std::atomic<std::uint32_t> arrived;
    std::atomic<std::uint32_t> joined;  ///< the number plus one; 0: not yet
    std::atomic<std::uint32_t> able;
  };
  /// Calls below `decided` are the MPI's; from `first` on (0: not known yet) they are served.
  struct Decision {
    std::uint32_t decided, first;
  };
  bool all_joined_by(std::uint32_t number) const;

  std::atomic<std::uint64_t>* word_;
  Member* members_;
  int me_, ranks_;
  bool joined_ = false, served_ = false;
};

}  // namespace tutti::runtime
