/// Kernels for AVX-512 (F, BW, DQ, VL); the build compiles this file for it.
#include "shm/kernels/kernels.hpp"
#ifdef __x86_64__
#include "shm/kernels/loops.hpp"

namespace tutti::shm {

Reducer kernel_avx512(Operator op, Element element) { return find(op, element); }

}  // namespace tutti::shm
#endif
