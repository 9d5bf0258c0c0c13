/// Which kernels a processor can run.
#include "shm/kernels/kernels.hpp"

namespace tutti::shm {

InstructionSet widest_here() {
#ifdef __x86_64__
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (avx512) return InstructionSet::avx512;
  if (__builtin_cpu_supports("avx2")) return InstructionSet::avx2;
#endif
  return InstructionSet::base;
}

Reducer kernel(Operator op, Element element, InstructionSet set) {
#ifdef __x86_64__
  if (set == InstructionSet::avx512) return kernel_avx512(op, element);
  if (set == InstructionSet::avx2) return kernel_avx2(op, element);
#endif
  static_cast<void>(set);
  return kernel_base(op, element);
}

}  // namespace tutti::shm
