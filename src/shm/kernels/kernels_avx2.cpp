/// Kernels for AVX2; the build compiles this file for it.
#include "shm/kernels/kernels.hpp"
#ifdef __x86_64__
#include "shm/kernels/loops.hpp"

namespace tutti::shm {

Reducer kernel_avx2(Operator op, Element element) { return find(op, element); }

}  // namespace tutti::shm
#endif
