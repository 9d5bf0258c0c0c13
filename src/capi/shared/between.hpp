#pragma once
/// What nodes send one another: one function a collective, each by the MPI library's own, from and into the result.
/// Throw MpiError; the error has been raised on the user's communicator by then.
#include "capi/shared/group.hpp"
#include "capi/shared/request.hpp"

namespace tutti::shared::between {

/// By leaders: node `root`'s elements to all.
void bcast(const Group& group, const Request& request, std::byte* result, int root);
/// By leaders: the blocks of each node's ranks to all.
void allgather(const Group& group, const Request& request, std::byte* result);
/// By leaders: the nodes' results combined, in the order of nodes.
void allreduce(const Group& group, const Request& request, std::byte* result);
/// By leaders of nothing, all ranks to rank 0: the combination in rank order, where nodes' results would break that.
void reduce(const Group& group, const Request& request, std::byte* result);
/// By all ranks: the blocks of other nodes' ranks to the root.
void gather(const Group& group, const Request& request, std::byte* result);
/// By all ranks: the blocks of other nodes' ranks to each.  `row`: this rank's result.
void alltoall(const Group& group, const Request& request, std::byte* row);

}  // namespace tutti::shared::between
