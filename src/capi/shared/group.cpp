#include "capi/shared/group.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/communicator/active.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::shared {

using runtime::pmpi;
using runtime::require;

bool Group::in_rows() const { return std::is_sorted(node_of.begin(), node_of.end()); }

runtime::Engine* Group::engine() const { return served ? runtime::engine_of(*served) : nullptr; }

void Group::meet() const {
  if (node_size == 1) return;
  if (runtime::Engine* const here = engine()) return here->group->barrier();
  require(pmpi.Barrier(node), "PMPI_Barrier");
}

Sharing::Sharing(MPI_Comm comm, int rank, int size) {
  alone_.comm = alone_.leaders = comm, alone_.rank = rank, alone_.size = alone_.nodes = size;
  alone_.node_of.resize(static_cast<std::size_t>(size));
  std::iota(alone_.node_of.begin(), alone_.node_of.end(), 0);
  by_nodes_.comm = comm, by_nodes_.rank = rank, by_nodes_.size = size;
}

Sharing& sharing_of(runtime::State& state, int rank) {
  if (!state.sharing) state.sharing = std::make_unique<Sharing>(state.comm, rank, state.size);
  return static_cast<Sharing&>(*state.sharing);
}

}  // namespace tutti::shared
