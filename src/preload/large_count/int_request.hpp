#pragma once
/// Large-count forms of nonblocking and persistent calls (MPI_IX_c, MPI_X_init_c) made of the int forms, for an MPI
/// that lacks them: Open MPI up to 5.
///
/// One call of the int form, or MPI_ERR_COUNT on this rank: what starts now cannot be cut into several calls.  So
/// reductions, and alltoallw, must fit int; the other counts may be given as larger types.
#include "preload/large_count/int_sides.hpp"

namespace tutti::preload {

/// The arguments of the int form.  Arrays may be read as long as the request lives, which nobody tells us the end of:
/// each array that differs from all before is kept for good.
class IntRequest {
 public:
  /// Throws MpiError or std::bad_alloc.
  explicit IntRequest(const runtime::Operation& call);
  bool possible() const { return possible_; }

  struct Arguments {
    int count;
    const int *counts, *displacements;
    MPI_Datatype type;
    const MPI_Datatype* types;
  };
  const Arguments& send() const { return send_; }
  const Arguments& receive() const { return receive_; }

 private:
  void reduction(const runtime::Operation& call);

  std::optional<IntSides> sides_;
  Arguments send_{}, receive_{};
  bool possible_ = true;
};

/// `make(request)` makes the call by its int form.  Returns an MPI error code, which has been raised.
template <class Make>
int call_int_request(const runtime::Operation& call, Make&& make) noexcept {
  try {
    const IntRequest request(call);
    return request.possible() ? make(request) : cannot(call);
  } catch (...) {
    return failed(call);
  }
}

}  // namespace tutti::preload
