#pragma once
/// The kernels of one instruction set: an operator, an element, and a loop that the compiler vectorises.
/// For kernels_*.cpp alone (see operators.hpp).
#include <cstddef>

#include "shm/kernels/operators.hpp"
#include "shm/reducer.hpp"

#ifdef __clang__
#define TUTTI_ELEMENTS_ARE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TUTTI_ELEMENTS_ARE_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace tutti::shm {
namespace {

/// An element at any address, in memory of any type.
template <typename T>
struct [[gnu::packed, gnu::may_alias]] Loose {
  T value;
};

/// `out` may be one of the operands.
template <typename Op, typename T>
void apply(void*, const void* in, const void* inout, void* out, std::size_t count) {
  const auto* const left = static_cast<const Loose<T>*>(in);
  const auto* const right = static_cast<const Loose<T>*>(inout);
  auto* const result = static_cast<Loose<T>*>(out);
  TUTTI_ELEMENTS_ARE_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) result[i].value = Op::of(T{left[i].value}, T{right[i].value});
}

template <typename Op, typename T>
constexpr Reducer reducer{&apply<Op, T>, nullptr, sizeof(T), true};

template <typename T>
Reducer arithmetic(Operator op) {
  switch (op) {
    case Operator::sum:
      return reducer<Sum, T>;
    case Operator::prod:
      return reducer<Prod, T>;
    default:
      return {};
  }
}

template <typename T>
Reducer ordered(Operator op) {
  switch (op) {
    case Operator::min:
      return reducer<Min, T>;
    case Operator::max:
      return reducer<Max, T>;
    default:
      return arithmetic<T>(op);
  }
}

template <typename T>
Reducer logical(Operator op) {
  switch (op) {
    case Operator::land:
      return reducer<LogicalAnd, T>;
    case Operator::lor:
      return reducer<LogicalOr, T>;
    case Operator::lxor:
      return reducer<LogicalXor, T>;
    default:
      return {};
  }
}

template <typename T>
Reducer integer(Operator op) {
  switch (op) {
    case Operator::band:
      return reducer<BitAnd, T>;
    case Operator::bor:
      return reducer<BitOr, T>;
    case Operator::bxor:
      return reducer<BitXor, T>;
    case Operator::land:
    case Operator::lor:
    case Operator::lxor:
      return logical<T>(op);
    default:
      return ordered<T>(op);
  }
}

template <typename Value, typename Place>
Reducer located(Operator op) {
  switch (op) {
    case Operator::minloc:
      return reducer<MinLocation, Located<Value, Place>>;
    case Operator::maxloc:
      return reducer<MaxLocation, Located<Value, Place>>;
    default:
      return {};
  }
}

Reducer located(Operator op, Element element) {
  switch (element) {
    case Element::i16_i32:
      return located<std::int16_t, std::int32_t>(op);
    case Element::i32_i32:
      return located<std::int32_t, std::int32_t>(op);
    case Element::i64_i32:
      return located<std::int64_t, std::int32_t>(op);
    case Element::f32_i32:
      return located<float, std::int32_t>(op);
    case Element::f64_i32:
      return located<double, std::int32_t>(op);
    case Element::f32_f32:
      return located<float, float>(op);
    case Element::f64_f64:
      return located<double, double>(op);
    default:
      return {};
  }
}

Reducer find(Operator op, Element element) {
  switch (element) {
    case Element::i8:
      return integer<std::int8_t>(op);
    case Element::i16:
      return integer<std::int16_t>(op);
    case Element::i32:
      return integer<std::int32_t>(op);
    case Element::i64:
      return integer<std::int64_t>(op);
    case Element::u8:
      return integer<std::uint8_t>(op);
    case Element::u16:
      return integer<std::uint16_t>(op);
    case Element::u32:
      return integer<std::uint32_t>(op);
    case Element::u64:
      return integer<std::uint64_t>(op);
    case Element::f32:
      return ordered<float>(op);
    case Element::f64:
      return ordered<double>(op);
    case Element::long_double:
      return ordered<long double>(op);
    case Element::complex_f32:
      return arithmetic<Complex<float>>(op);
    case Element::complex_f64:
      return arithmetic<Complex<double>>(op);
    case Element::complex_long_double:
      return arithmetic<Complex<long double>>(op);
    case Element::logical_c_bool:
      return logical<std::uint8_t>(op);  // 0 or 1, whatever true was written as
    default:
      return located(op, element);
  }
}

}  // namespace
}  // namespace tutti::shm
