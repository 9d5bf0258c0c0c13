/// SMPI refuses nothing that could be asked about, and dies of a pack of no elements: no question is asked.
#include "runtime/platform/own_self.hpp"

namespace tutti::runtime {

MPI_Comm own_self() { return MPI_COMM_NULL; }

MPI_Comm quiet_comm(MPI_Comm users) { return users; }

}  // namespace tutti::runtime
