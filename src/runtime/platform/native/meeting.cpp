#include <vector>

#include "runtime/communicator/agreement.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

void Agreement::meet() {
  const std::vector<std::int32_t> ones(static_cast<std::size_t>(size_), 1);
  std::int32_t sum = 0;
  carry_out("PMPI_Reduce_scatter_block",
            [&] { return pmpi.Reduce_scatter_block(ones.data(), &sum, 1, MPI_INT32_T, MPI_SUM, comm_); });
}

}  // namespace tutti::runtime
