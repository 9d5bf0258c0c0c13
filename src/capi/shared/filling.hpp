#pragma once
/// How data comes into the memory of a result: once a node.
#include "capi/shared/group.hpp"
#include "capi/shared/request.hpp"

namespace tutti::shared {

/// Bytes of memory that the result of a node takes; none where no rank of it gets one.
std::int64_t room(const Group& group, const Request& request);
/// Where this rank's result begins in that memory; null where it gets none.
std::byte* start_of(const Group& group, const Request& request, std::byte* memory);

/// Collective.  When it returns, this rank's result is complete, and nobody writes to the memory again but through
/// mappings of its own.  What goes wrong on this rank alone does not keep the others waiting.  Returns an MPI error
/// code, raised by then.
int fill(const Group& group, const Request& request, std::byte* memory) noexcept;

}  // namespace tutti::shared
