/// Every rank is the same program, with tutti linked in: none can be in another collective.  And SMPI's
/// MPI_Reduce_scatter_block, by which ranks meet elsewhere, takes p^2 messages.
#include "runtime/communicator/agreement.hpp"

namespace tutti::runtime {

void Agreement::meet() { static_cast<void>(comm_); }

}  // namespace tutti::runtime
