#pragma once
/// Which persistent request of a communicator has which channel: agreed on in shared memory, without any rank waiting.
///
/// All ranks make persistent requests in one order, so they number them alike.  Whoever comes to a number first lends
/// it a channel that all ranks have given back, or none, by one compare-and-swap; the others find that.
#include <array>
#include <atomic>
#include <cstdint>

namespace tutti::runtime {

class Loans {
 public:
  /// Multigrid solvers hold a few for each level.  Channels that are not lent take no memory, only addresses.
  static constexpr int channels = 64;

  static std::size_t bytes(int ranks);
  /// `memory`: zeros at first.
  Loans(void* memory, int me, int ranks);

  /// For the next request: its channel from 0 on, or -1.  Waits only for ranks that are thousands of requests behind.
  int next();
  /// Which this rank adds to once its request on the channel is freed and has ended.
  std::atomic<std::uint32_t>& given_back(int channel) { return given_back_[channel]; }

 private:
  static constexpr std::uint32_t notes = 4096;
  /// One a number, at its remainder: the number plus one, and the channel plus one.
  struct Note {
    std::uint32_t number, channel;
  };
  std::uint32_t free_channel() const;
  void await_others(std::uint32_t number) const;

  std::atomic<std::uint32_t>* given_back_;
  std::atomic<std::uint32_t>* reached_;  ///< by each rank: numbers so far
  std::atomic<std::uint64_t>* notes_;
  int me_, ranks_;
  std::uint32_t number_ = 0;
  std::array<std::uint32_t, channels> lent_{};  ///< how often
};

}  // namespace tutti::runtime
