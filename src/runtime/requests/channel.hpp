#pragma once
/// A channel: collectives under way, one after another, in a group of its own.
///
/// Blocking collectives of a communicator have its engine's group; its nonblocking ones share a channel, in the order
/// of their starts, which is the same on all ranks; each of its persistent requests has one of its own, since ranks may
/// start them in different orders (MPI 4.0, 6.13).  So none of these ever matches another.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/communicator/engine.hpp"
#include "runtime/plan/started_call.hpp"
#include "runtime/requests/messages/wires.hpp"
#include "runtime/requests/request.hpp"

namespace tutti::runtime {

/// Where a channel is.
struct ChannelPlace {
  MPI_Comm comm;  ///< the program's
  shm::InstructionSet instructions;
  shm::Segment memory;  ///< zeros at first, the same on all ranks
  shm::ShmGroupOptions options;
};

class Channel {
 public:
  explicit Channel(ChannelPlace place);
  /// For calls over messages alone.
  Channel(MPI_Comm comm, bool oversubscribed);
  ~Channel();
  Channel(const Channel&) = delete;

  /// Behind those that are under way.  Its plan is bound for `group()`.
  void start(Request& request);
  /// The head, if its call has halves: gives what other ranks wait for.  Then it needs no more moves for their sake.
  bool give();
  /// Whether that request is the head, and `finish` may run it.
  bool can_finish(const Request& request) const { return head_ == &request && !begun_ && !finishing_; }
  /// Runs the head, which is not in a task yet, to its end, in the caller: its waits call `idle`.  Meanwhile the
  /// channel is not moved.
  void finish(const Suspend& idle);
  /// Goes on until the call at the head waits.  `mpi`: the thread may call the MPI; otherwise calls that need it
  /// (packing) stay where they are.  `looks`: how often a wait looks again before the call is left.
  void move(bool mpi, int looks = 0);
  bool idle() const { return head_ == nullptr; }
  /// No request of it is the program's.
  bool unused() const { return used_ == 0 && idle(); }

  /// How its calls suspend, for what they are to run on.
  Suspend suspension() { return running_.suspension(); }
  void attach(std::unique_ptr<Wires> wires) { wires_ = std::move(wires); }
  const Wires* wires() const { return wires_.get(); }

  /// Null where it serves calls over messages alone.
  shm::ShmGroup* group() { return engine_.group.get(); }
  /// The program's, for errors and queries; null once that is freed.
  MPI_Comm comm() const { return engine_.comm; }
  void forget_comm() { engine_.comm = MPI_COMM_NULL; }
  bool oversubscribed() const { return oversubscribed_; }

  /// A request that is not in use, with a plan that matches the call if there is one; made where none is left.  Throws
  /// MpiError or std::bad_alloc.
  Request& take(const Operation& call);
  void give_back(Request& request);
  /// Of a persistent request's channel: where its end is counted, in shared memory.
  void count_given_back(std::atomic<std::uint32_t>& counter) { given_back_ = &counter; }

  bool listed = false;  ///< motion.cpp

 private:
  bool run_head();
  Venue venue();
  void end_head(int code);
  Request& make();

  StartedCall running_;
  Engine engine_;  ///< its group's calls suspend instead of waiting
  std::unique_ptr<Wires> wires_;
  Request *head_ = nullptr, *tail_ = nullptr, *free_ = nullptr;
  bool begun_ = false;      ///< the head is under way in its task
  bool given_ = false;      ///< its first half is over
  bool finishing_ = false;  ///< it runs in a caller
  std::atomic<std::uint32_t>* given_back_ = nullptr;
  int used_ = 0;  ///< requests taken and not given back
  const bool oversubscribed_;
  std::vector<std::unique_ptr<Request>> all_;
};

}  // namespace tutti::runtime
