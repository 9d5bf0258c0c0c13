#pragma once
/// The same kernels, compiled for one instruction set each.
#include "shm/reducer.hpp"

namespace tutti::shm {

Reducer kernel_base(Operator op, Element element);
#ifdef __x86_64__
Reducer kernel_avx2(Operator op, Element element);
Reducer kernel_avx512(Operator op, Element element);
#endif

}  // namespace tutti::shm
