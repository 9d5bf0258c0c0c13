#pragma once
/// Which of a program's requests are ours.
#include <mpi.h>

#include <array>
#include <memory>

#include "runtime/requests/request.hpp"

namespace tutti::runtime {

class Ours {
 public:
  Ours(int count, const MPI_Request* requests);
  Ours(const Ours&) = delete;

  /// Null where it is the MPI's own, or not active.
  Request* operator[](int i) const { return found_[i]; }
  bool any() const { return any_; }
  bool all_done() const;
  /// The first that is complete, from `from` on; -1: none is.
  int done(int from = 0) const;
  int size() const { return count_; }

 private:
  static constexpr int few = 32;
  int count_;
  bool any_ = false;
  std::array<Request*, few> room_;
  std::unique_ptr<Request*[]> more_;
  Request** found_;
};

/// The others, for the MPI: in the places of ours are null requests.  (Where requests are inactive, MPICH 5.0's Testall
/// fails.)  What it makes of them is the program's once this ends; of constant ones nothing.
class Others {
 public:
  Others(const Ours& ours, MPI_Request* requests);
  Others(const Ours& ours, const MPI_Request* requests);
  ~Others();
  Others(const Others&) = delete;
  MPI_Request* data() { return copied_ ? copied_.get() : requests_; }

 private:
  const Ours& ours_;
  MPI_Request* requests_;
  bool constant_ = false;
  std::unique_ptr<MPI_Request[]> copied_;
};

/// The one request, as above.
Request* ours(const MPI_Request* request);

/// The program is told that a request is complete: a nonblocking call's handle is gone, a persistent request is
/// inactive again.  Returns the error of the call, which is raised.
int conclude(Request& request, MPI_Request& handle);

/// What the standard calls an empty status, but for its error, which a single completion leaves as it is.
void empty(MPI_Status* status);

}  // namespace tutti::runtime
