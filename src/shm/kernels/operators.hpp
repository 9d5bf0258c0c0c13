#pragma once
/// The predefined operators on one pair of elements, bit for bit alike on every instruction set:
///   sum, prod      integers wrap; complex products are the textbook formula, without the C library's rescue of
///                  infinities; no fused multiply-add (the build turns contraction off).  Of two that are not numbers
///                  the left one's bits stay.
///   min, max       inout < in ? inout : in, and with >: on equal operands (zeros of either sign) and where one is not
///                  a number, `in`, the lower rank's, wins.  MPICH and Open MPI do the same.
///   land lor lxor  0 or 1.
///   minloc maxloc  the lesser place where values are equal; where one is not a number, `inout`.
///
/// For kernels_*.cpp only, each compiled for another instruction set.  Everything here has internal linkage and no
/// standard template is called: a shared function compiled for the wider set might be the one that the linker keeps.
#include <cstdint>
#include <type_traits>

namespace tutti::shm {
namespace {

template <typename T>
struct Complex {
  T real, imaginary;
};

/// As MPI packs a value and its place: without padding.
template <typename Value, typename Place>
struct [[gnu::packed]] Located {
  Value value;
  Place place;
};

/// Two's complement arithmetic without overflow: in the unsigned type at least as wide as int.
template <typename T>
using Wrapping = std::make_unsigned_t<std::common_type_t<T, int>>;

/// A processor keeps the bits of the first of two NaNs, and compilers may swap the operands.  So `left` is combined
/// with itself if it is a NaN.
template <typename T>
T against(T left, T right) {
  return left != left ? left : right;
}
/// g++ 12 and later recognise a complex product and fuse it, contraction or not, where AVX-512 brings the instruction
/// with it.
template <typename T>
T product(T left, T right) {
#if defined(__has_builtin) && __has_builtin(__builtin_assoc_barrier)
  return __builtin_assoc_barrier(left * against(left, right));
#else
  return left * against(left, right);
#endif
}

struct Sum {
  template <typename T>
  static T of(T in, T inout) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(in) + static_cast<Wrapping<T>>(inout));
    else
      return in + against(in, inout);
  }
  template <typename T>
  static Complex<T> of(Complex<T> in, Complex<T> inout) {
    return {of(in.real, inout.real), of(in.imaginary, inout.imaginary)};
  }
};
struct Prod {
  template <typename T>
  static T of(T in, T inout) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(in) * static_cast<Wrapping<T>>(inout));
    else
      return product(in, inout);
  }
  template <typename T>
  static Complex<T> of(Complex<T> in, Complex<T> inout) {
    return {product(in.real, inout.real) - product(in.imaginary, inout.imaginary),
            Sum::of(product(in.real, inout.imaginary), product(in.imaginary, inout.real))};
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
struct MinLocation {
  template <typename T>
  static T of(T in, T inout) {
    if (in.value < inout.value) return in;
    if (in.value == inout.value && in.place < inout.place) inout.place = in.place;
    return inout;
  }
};
struct MaxLocation {
  template <typename T>
  static T of(T in, T inout) {
    if (in.value > inout.value) return in;
    if (in.value == inout.value && in.place < inout.place) inout.place = in.place;
    return inout;
  }
};

}  // namespace
}  // namespace tutti::shm
