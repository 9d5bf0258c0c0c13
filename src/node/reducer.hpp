#pragma once
/// What combines two rows of elements: a kernel of ours, or the MPI library's through a callback.
#include <cstddef>
#include <cstdint>

namespace tutti::node {

struct Reducer {
  /// inout[i] = in[i] (+) inout[i], `count` elements; `in` is the left operand.
  void (*apply)(void* context, const void* in, void* inout, std::size_t count) = nullptr;
  void* context = nullptr;
  std::size_t unit = 1;  ///< bytes from one element to the next
  bool commutative = true;

  void operator()(const void* in, void* inout, std::size_t count) const { apply(context, in, inout, count); }
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
  logical_c_bool
};

/// Our kernel for that pair, or one whose `apply` is null (then the caller uses MPI_Reduce_local).
Reducer kernel(Operator op, Element element);

}  // namespace tutti::node
