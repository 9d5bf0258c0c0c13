#pragma once
/// Channels over messages for persistent requests, one each: their ranks may start them in different orders.
#include <memory>
#include <vector>

#include "runtime/requests/channel.hpp"

namespace tutti::runtime {

class WiredLoans {
 public:
  /// For the next request: a channel that all ranks have given back, or a new one, or null.  Collective over the
  /// communicator: the call that makes a persistent request may wait for all ranks (MPI 4.0, 6.13).
  Channel* next(const Wired& wired, bool oversubscribed);
  /// For what outlives the communicator.
  std::vector<std::unique_ptr<Channel>> take_all() { return std::move(channels_); }

 private:
  /// Each has communicators of its own, of which an MPI has about 2000.
  static constexpr std::size_t most = 8;
  Channel* make(const Wired& wired, bool oversubscribed);

  std::vector<std::unique_ptr<Channel>> channels_;
  bool refused_ = false;  ///< no more can be made
};

}  // namespace tutti::runtime
