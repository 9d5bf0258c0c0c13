#pragma once
/// The reductions among the large-count forms made of int forms: cut by elements, since an operator's type cannot be
/// replaced.  All ranks give the same counts, so all cut alike.
#include "runtime/plan/operation.hpp"

namespace tutti::preload {

/// As call_narrow, for reduce, allreduce, scan, exscan, reduce_scatter and reduce_scatter_block.  May throw MpiError.
int reduce_narrow(const runtime::Operation& call);

}  // namespace tutti::preload
