#pragma once
/// Messages among the ranks of a node that are in flight together.
#include <mpi.h>

#include <cstddef>
#include <vector>

namespace tutti::runtime {

class Batch {
 public:
  /// InterNodePhase two members there is at most one message each way in a batch.  Empty ones are not sent.
  explicit Batch(MPI_Comm comm) : comm_(comm) {}

  void send(const std::byte* from, std::size_t bytes, int to);
  void receive(std::byte* into, std::size_t bytes, int from);
  /// Returns when all are complete.  False: one was longer than expected, and truncated.  Throws MpiError, as the
  /// others.
  bool end();

 private:
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
};

}  // namespace tutti::runtime
