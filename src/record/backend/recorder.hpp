#pragma once
/// The recording of this process: the book, and what its numbers stand for.
#include <mpi.h>

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "record/book.hpp"
#include "record/part.hpp"
#include "record/sites.hpp"
#include "runtime/communicator/state.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::record {

/// Both clocks, now.
Anchor anchor_now();

class Recorder {
 public:
  Recorder();
  void note(const void* caller, const void* frame, const runtime::Operation& call, std::uint64_t begin,
            std::uint64_t end);

  const Book& book() const { return book_; }
  const Sites& sites() const { return sites_; }
  const std::vector<Communicator>& communicators() const { return communicators_; }
  /// Names of the datatype or operator whose handle a key holds.
  const std::map<std::uint64_t, std::string>& types() const { return types_; }
  const std::map<std::uint64_t, std::string>& operators() const { return operators_; }
  const Anchor& start() const { return start_; }

 private:
  /// Two threads may be in collectives of two communicators.  Held for some tens of nanoseconds; no call of MPI that
  /// could wait is made under it.
  class Lock {
   public:
    explicit Lock(std::atomic<bool>& taken);
    ~Lock() { taken_.store(false, std::memory_order_release); }
    Lock(const Lock&) = delete;

   private:
    std::atomic<bool>& taken_;
  };
  std::uint32_t number_of(runtime::State& state);
  void name_handles(MPI_Datatype type, MPI_Op op, const Key& key);

  Book book_;
  Sites sites_;
  std::vector<Communicator> communicators_;
  std::map<std::pair<std::uint64_t, int>, int> alike_;  ///< communicators so far by members
  std::map<std::uint64_t, std::string> types_, operators_;
  Anchor start_;
  std::atomic<bool> taken_{false};
};

/// Null before begin().
Recorder* recorder();

}  // namespace tutti::record
