#pragma once
/// Which processes measure: all, or some of them (--on) while the others rest.
#include <mpi.h>

#include <span>

namespace tutti::bench {

class Members {
 public:
  /// Collective over MPI_COMM_WORLD.  `on`: its ranks that measure, in the order of their new ranks; empty: all.
  /// Throws std::invalid_argument, the same on all ranks, where there is no such rank.
  explicit Members(std::span<const int> on);
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;
  /// The first member wakes those that rest.
  ~Members();

  /// Of the members; MPI_COMM_NULL on the others.
  MPI_Comm comm() const { return comm_; }
  /// Until the members are done, without taking a processor from them.
  static void rest(int first);

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::span<const int> on_;
};

}  // namespace tutti::bench
