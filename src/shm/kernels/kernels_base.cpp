/// Kernels for every processor of the architecture: SSE2, or NEON.
#include "shm/kernels/kernels.hpp"
#include "shm/kernels/loops.hpp"

namespace tutti::shm {

Reducer kernel_base(Operator op, Element element) { return find(op, element); }

}  // namespace tutti::shm
