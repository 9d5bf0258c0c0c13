/// Kernels: which pairs exist, and what they compute on awkward values.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "node/reducer.hpp"

namespace tutti::node::test {
namespace {

template <typename T>
T once(Operator op, Element element, T left, T right) {
  kernel(op, element)(&left, &right, 1);
  return right;
}

TEST_CASE("pairs that MPI defines, and no others") {
  const auto has = [](Operator op, Element element) { return kernel(op, element).apply != nullptr; };
  for (const Element e :
       {Element::i8, Element::i16, Element::i32, Element::i64, Element::u8, Element::u16, Element::u32, Element::u64}) {
    for (int op = 0; op <= static_cast<int>(Operator::bxor); ++op) CHECK(has(static_cast<Operator>(op), e));
    CHECK_FALSE(has(Operator::minloc, e));
  }
  for (const Element e : {Element::f32, Element::f64, Element::long_double}) {
    CHECK(has(Operator::max, e));
    CHECK_FALSE(has(Operator::land, e));
    CHECK_FALSE(has(Operator::bxor, e));
  }
  for (const Element e : {Element::complex_f32, Element::complex_f64}) {
    CHECK(has(Operator::sum, e));
    CHECK(has(Operator::prod, e));
    CHECK_FALSE(has(Operator::max, e));
  }
  CHECK(has(Operator::lor, Element::logical_c_bool));
  CHECK_FALSE(has(Operator::sum, Element::logical_c_bool));
}

TEST_CASE("units") {
  CHECK(kernel(Operator::sum, Element::i16).unit == 2);
  CHECK(kernel(Operator::sum, Element::long_double).unit == sizeof(long double));
  CHECK(kernel(Operator::prod, Element::complex_f64).unit == 16);
  CHECK(kernel(Operator::land, Element::logical_c_bool).unit == 1);
}

TEST_CASE("integers wrap and do not promote") {
  CHECK(once<std::int32_t>(Operator::sum, Element::i32, INT32_MAX, 1) == INT32_MIN);
  CHECK(once<std::int16_t>(Operator::prod, Element::i16, 300, 300) == static_cast<std::int16_t>(90000));
  CHECK(once<std::uint16_t>(Operator::prod, Element::u16, 65535, 65535) == 1);
  CHECK(once<std::int8_t>(Operator::min, Element::i8, -1, 1) == -1);
  CHECK(once<std::uint8_t>(Operator::max, Element::u8, 255, 1) == 255);
  CHECK(once<std::int64_t>(Operator::bxor, Element::i64, -1, 5) == ~std::int64_t{5});
}

TEST_CASE("logical operators give 0 or 1") {
  CHECK(once<std::int32_t>(Operator::land, Element::i32, 2, 4) == 1);
  CHECK(once<std::int32_t>(Operator::lxor, Element::i32, 2, 4) == 0);
  CHECK(once<std::int32_t>(Operator::lor, Element::i32, 0, -7) == 1);
  CHECK(once<std::uint8_t>(Operator::lor, Element::logical_c_bool, 0, 1) == 1);
}

TEST_CASE("minimum and maximum: the lower rank's where neither is less") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::signbit(once(Operator::max, Element::f64, -0.0, 0.0)));
  CHECK_FALSE(std::signbit(once(Operator::min, Element::f64, 0.0, -0.0)));
  CHECK(std::isnan(once(Operator::max, Element::f64, nan, 1.0)));
  CHECK(once(Operator::max, Element::f64, 1.0, nan) == 1.0);
}

TEST_CASE("complex products have the textbook's bits, wherever they stand in the row") {
  using C = std::complex<float>;
  std::vector<C> left, right;
  for (int i = 0; i < 1003; ++i) {
    left.emplace_back(1.0F / static_cast<float>(3 + i), 0.7F * static_cast<float>(i));
    right.emplace_back(static_cast<float>(i) / 7.0F, 1.0F / static_cast<float>(11 + i));
  }
  auto out = right;
  kernel(Operator::prod, Element::complex_f32)(left.data(), out.data(), out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const volatile float a = left[i].real() * right[i].real(), b = left[i].imag() * right[i].imag();
    const volatile float c = left[i].real() * right[i].imag(), d = left[i].imag() * right[i].real();
    REQUIRE(std::bit_cast<std::uint32_t>(out[i].real()) == std::bit_cast<std::uint32_t>(a - b));
    REQUIRE(std::bit_cast<std::uint32_t>(out[i].imag()) == std::bit_cast<std::uint32_t>(c + d));
  }
}

}  // namespace
}  // namespace tutti::node::test
