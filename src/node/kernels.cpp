/// Kernels for predefined operators: plain loops that the compiler vectorises.
///
/// Semantics, bit for bit on every instruction set:
///   sum, prod      integers wrap; complex products are the textbook formula, without the C library's rescue of
///                  infinities; no fused multiply-add (the build turns contraction off).
///   min, max       inout < in ? inout : in, and with >: on equal operands (zeros of either sign) and where one is not
///                  a number, `in`, the lower rank's, wins.  MPICH and Open MPI do the same.
///   land lor lxor  0 or 1.
/// Not here: minloc, maxloc (their pairs of value and place are no Element), and what MPI does not define.
#include <complex>
#include <type_traits>

#include "node/reducer.hpp"

namespace tutti::node {
namespace {

/// Two's complement arithmetic without overflow: in the unsigned type at least as wide as int.
template <typename T>
using Wrapping = std::make_unsigned_t<std::common_type_t<T, int>>;

struct Sum {
  template <typename T>
  static T of(T in, T inout) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(in) + static_cast<Wrapping<T>>(inout));
    else
      return in + inout;
  }
};
struct Prod {
  template <typename T>
  static T of(T in, T inout) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(in) * static_cast<Wrapping<T>>(inout));
    else
      return in * inout;
  }
  template <typename T>
  static std::complex<T> of(std::complex<T> in, std::complex<T> inout) {
    return {in.real() * inout.real() - in.imag() * inout.imag(), in.real() * inout.imag() + in.imag() * inout.real()};
  }
};
struct Min {
  template <typename T>
  static T of(T in, T inout) {
    return inout < in ? inout : in;
  }
};
struct Max {
  template <typename T>
  static T of(T in, T inout) {
    return inout > in ? inout : in;
  }
};
struct LogicalAnd {
  template <typename T>
  static T of(T in, T inout) {
    return static_cast<T>((in != 0) & (inout != 0));
  }
};
struct LogicalOr {
  template <typename T>
  static T of(T in, T inout) {
    return static_cast<T>((in != 0) | (inout != 0));
  }
};
struct LogicalXor {
  template <typename T>
  static T of(T in, T inout) {
    return static_cast<T>((in != 0) ^ (inout != 0));
  }
};
struct BitAnd {
  template <typename T>
  static T of(T in, T inout) {
    return static_cast<T>(in & inout);
  }
};
struct BitOr {
  template <typename T>
  static T of(T in, T inout) {
    return static_cast<T>(in | inout);
  }
};
struct BitXor {
  template <typename T>
  static T of(T in, T inout) {
    return static_cast<T>(in ^ inout);
  }
};

template <typename Op, typename T>
void apply(void*, const void* in, void* inout, std::size_t count) {
  const T* __restrict left = static_cast<const T*>(in);
  T* __restrict right = static_cast<T*>(inout);
  for (std::size_t i = 0; i < count; ++i) right[i] = Op::of(left[i], right[i]);
}

template <typename Op, typename T>
Reducer reducer() {
  return {&apply<Op, T>, nullptr, sizeof(T), true};
}

template <typename T>
Reducer arithmetic(Operator op) {
  switch (op) {
    case Operator::sum:
      return reducer<Sum, T>();
    case Operator::prod:
      return reducer<Prod, T>();
    default:
      return {};
  }
}

template <typename T>
Reducer ordered(Operator op) {
  switch (op) {
    case Operator::min:
      return reducer<Min, T>();
    case Operator::max:
      return reducer<Max, T>();
    default:
      return arithmetic<T>(op);
  }
}

template <typename T>
Reducer logical(Operator op) {
  switch (op) {
    case Operator::land:
      return reducer<LogicalAnd, T>();
    case Operator::lor:
      return reducer<LogicalOr, T>();
    case Operator::lxor:
      return reducer<LogicalXor, T>();
    default:
      return {};
  }
}

template <typename T>
Reducer integer(Operator op) {
  switch (op) {
    case Operator::band:
      return reducer<BitAnd, T>();
    case Operator::bor:
      return reducer<BitOr, T>();
    case Operator::bxor:
      return reducer<BitXor, T>();
    case Operator::land:
    case Operator::lor:
    case Operator::lxor:
      return logical<T>(op);
    default:
      return ordered<T>(op);
  }
}

}  // namespace

Reducer kernel(Operator op, Element element) {
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
      return arithmetic<std::complex<float>>(op);
    case Element::complex_f64:
      return arithmetic<std::complex<double>>(op);
    case Element::logical_c_bool:
      return logical<std::uint8_t>(op);  // 0 or 1, whatever true was written as
  }
  return {};
}

}  // namespace tutti::node
