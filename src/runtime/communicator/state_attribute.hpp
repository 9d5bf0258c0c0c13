#pragma once
/// The attribute of a communicator that holds its state.
#include "runtime/communicator/state.hpp"

namespace tutti::runtime::state_attribute {

/// The state attached to the communicator, or null.
State* of(MPI_Comm comm);

/// The key to attach one more state; every `hold` is followed by one `let_go`, when that state is released. `deleted`
/// is called when its communicator goes.  MPI_KEYVAL_INVALID where there can be no key.
int hold(MPI_Comm_delete_attr_function* deleted);
void let_go();

}  // namespace tutti::runtime::state_attribute
