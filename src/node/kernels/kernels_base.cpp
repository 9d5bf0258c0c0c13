/// Kernels for every processor of the architecture: SSE2, or NEON.
#include "node/kernels/kernels.hpp"
#include "node/kernels/loops.hpp"

namespace tutti::node {

Reducer kernel_base(Operator op, Element element) { return find(op, element); }

}  // namespace tutti::node
