#pragma once
/// Combines two rows of elements: by a kernel of ours, or by the MPI library's function through a callback.
#include <cstddef>
#include <cstdint>

namespace tutti::shm {

struct Reducer {
  /// out[i] = in[i] (+) inout[i], `count` elements; `in` is the left operand.  `out` may be `in` or `inout`.
  void (*apply)(void* context, const void* in, const void* inout, void* out, std::size_t count) = nullptr;
  void* context = nullptr;
  std::size_t unit = 1;  ///< bytes from one element to the next
  bool commutative = true;

  void operator()(const void* in, const void* inout, void* out, std::size_t count) const {
    apply(context, in, inout, out, count);
  }
  void operator()(const void* in, void* inout, std::size_t count) const { apply(context, in, inout, inout, count); }
};

/// Predefined operators and element kinds that our kernels know.  Order of members is part of no interface.
enum class Operator : std::uint8_t { sum, prod, min, max, land, lor, lxor, band, bor, bxor, minloc, maxloc };
enum class Element : std::uint8_t {
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f32,
  f64,
  long_double,
  complex_f32,
  complex_f64,
  complex_long_double,
  logical_c_bool,
  // A value and its place, as MPI packs them: without padding.
  i16_i32,
  i32_i32,
  i64_i32,
  f32_i32,
  f64_i32,
  f32_f32,
  f64_f64
};

/// Instruction set that a kernel was compiled for, from the narrowest on: each runs where a later one does.  All give
/// the same bits; the ranks of a communicator use the same one nevertheless.
enum class InstructionSet : std::uint8_t { base, avx2, avx512 };

/// The widest that this processor and its operating system have.
InstructionSet widest_here();

/// Our kernel for that pair, or one whose `apply` is null (then the caller uses MPI_Reduce_local).
Reducer kernel(Operator op, Element element, InstructionSet set = InstructionSet::base);

}  // namespace tutti::shm
