#pragma once
/// Carries out a case, as the ranks spell it or by the library's own PMPI_X, on buffers of its own.
#include <memory>
#include <string>
#include <vector>

#include "case.hpp"

namespace tutti::fuzz {

/// The buffers of one rank for one variant of a case.
struct Buffers {
  TypedBuffer send, receive;
};

/// Elements of this rank's two buffers, each of its own datatype, and how many of the receive buffer are results.
struct Shape {
  const Datatype *send_type, *receive_type;
  std::int64_t send = 0, receive = 0, results = 0;
};
Shape shape(const Case& which, int ranks, int me);
/// The case's buffers on this rank, as they are before the call.
Buffers filled(const Case& which, MPI_Comm comm);

/// The right call's arguments; the buffers are left where they are.
std::shared_ptr<const Arguments> arguments_of(const Case& which, MPI_Comm comm, Buffers& buffers);

/// What the calls of one case gave this rank.
struct Reply {
  int status = MPI_SUCCESS;  ///< the right call's code
  int wrong = MPI_SUCCESS;   ///< the wrong call's, where this rank made one before
  int handled = 0;           ///< how often the user's error handler ran
};
/// `by_library`: the reference.
Reply carry_out(const Case& which, MPI_Comm comm, Buffers& buffers, bool by_library);
/// Empty where the replies agree, else what differs.  The library's own failure of a right call is no difference.
std::string difference(const Reply& got, const Reply& expected);
std::string error_text(int code);

}  // namespace tutti::fuzz
