/// Kernels for AVX2; the build compiles this file for it.
#include "node/kernels/kernels.hpp"
#ifdef __x86_64__
#include "node/kernels/loops.hpp"

namespace tutti::node {

Reducer kernel_avx2(Operator op, Element element) { return find(op, element); }

}  // namespace tutti::node
#endif
