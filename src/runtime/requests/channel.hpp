#pragma once
/// A channel: collectives under way, one after another, in a group of its own.
///
/// Blocking collectives of a communicator have its engine's group; its nonblocking ones share a channel, in the order of
/// their starts, which is the same on all ranks; each of its persistent requests has one of its own, since ranks may
/// start them in different orders (MPI 4.0, 6.13).  So none of these ever matches another.  Channels lie behind the
/// engine's group in the same segment, in memory that is taken when the first call on them writes to it.
#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/communicator/engine.hpp"
#include "runtime/plan/started_call.hpp"
#include "runtime/requests/request.hpp"

namespace tutti::runtime {

class Channel {
 public:
  /// In `memory` of `owner`'s segment, which must begin as zeros and be the same on all ranks.
  Channel(shm::Segment memory, shm::ShmGroupOptions options, const Engine& owner);
  ~Channel();
  Channel(const Channel&) = delete;

  /// Behind those that are under way.  Its plan is bound for `group()`.
  void start(Request& request);
  /// Goes on until the call at the head waits.  `mpi`: the thread may call the MPI; otherwise calls that need it
  /// (packing) stay where they are.  `looks`: how often a wait looks again before the call is left.
  void move(bool mpi, int looks = 0);
  bool idle() const { return head_ == nullptr; }
  /// No request of it is the program's.
  bool unused() const { return used_ == 0 && idle(); }

  const shm::ShmGroup& group() const { return *engine_.group; }
  /// Users' communicator, for errors and queries.
  MPI_Comm comm() const { return engine_.comm; }
  void belong_to(MPI_Comm comm) { engine_.comm = comm; }
  void allow_single_copy(bool yes) { engine_.group->allow_single_copy(yes); }
  bool oversubscribed() const { return oversubscribed_; }

  /// A request that is not in use, with a plan that matches the call if there is one; made where none is left.  Throws
  /// MpiError or std::bad_alloc.
  Request& take(const Operation& call);
  void give_back(Request& request);

  bool listed = false;  ///< motion.cpp

 private:
  bool run_head();
  Request& make();

  StartedCall running_;
  Engine engine_;  ///< its group's calls suspend instead of waiting
  Request *head_ = nullptr, *tail_ = nullptr, *free_ = nullptr;
  bool begun_ = false;  ///< the head is under way
  int used_ = 0;        ///< requests taken and not given back
  const bool oversubscribed_;
  std::vector<std::unique_ptr<Request>> all_;
};

/// The channels of one engine, made at their first use.
class Channels {
 public:
  /// Persistent requests of one communicator that are served.
  static constexpr int most_persistent = 8;
  static std::size_t bytes(const shm::ShmGroupOptions& of_engine);
  /// `memory`: bytes(of_engine) of its segment.
  Channels(shm::Segment memory, const shm::ShmGroupOptions& of_engine, const Engine& owner);
  void allow_single_copy(bool yes) { single_copy_ = yes; }  ///< before the first is made

  /// 0: of the nonblocking collectives.  Throws std::bad_alloc.
  Channel& at(int number);
  /// No request of them is the program's.
  bool unused() const;
  void belong_to(MPI_Comm comm);

 private:
  static shm::ShmGroupOptions options(const shm::ShmGroupOptions& of_engine, int number);

  shm::Segment memory_;
  shm::ShmGroupOptions options_;
  const Engine& owner_;
  MPI_Comm comm_;
  bool single_copy_ = false;
  std::vector<std::unique_ptr<Channel>> made_;
};

}  // namespace tutti::runtime
