#include "runtime/communicator/world.hpp"

#include <numeric>

#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

std::vector<int> ranks_in_world(MPI_Comm comm) {
  int initialized = 0, size = 0;
  if (pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized) return {};
  require(pmpi.Comm_size(comm, &size), "PMPI_Comm_size");
  std::vector<int> ranks(static_cast<std::size_t>(size)), found(ranks.size(), 0);
  std::iota(ranks.begin(), ranks.end(), 0);
  if (comm == MPI_COMM_WORLD) return ranks;
  MPI_Group ours = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  require(pmpi.Comm_group(comm, &ours), "PMPI_Comm_group");
  require(pmpi.Comm_group(MPI_COMM_WORLD, &world), "PMPI_Comm_group");
  const int code = pmpi.Group_translate_ranks(ours, size, ranks.data(), world, found.data());
  pmpi.Group_free(&ours), pmpi.Group_free(&world);
  require(code, "PMPI_Group_translate_ranks");
  return found;
}

}  // namespace tutti::runtime
