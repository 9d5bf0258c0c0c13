/// Kernels: which pairs exist, and what they compute on awkward values, with every instruction set alike.
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "shm/reducer.hpp"

namespace tutti::shm::test {
namespace {

constexpr int operators = static_cast<int>(Operator::maxloc) + 1, elements = static_cast<int>(Element::f64_f64) + 1;

std::vector<InstructionSet> wider_sets() {
  std::vector<InstructionSet> sets;
  for (int set = 1; set <= static_cast<int>(widest_here()); ++set) sets.push_back(static_cast<InstructionSet>(set));
  return sets;
}

template <typename T>
T once(Operator op, Element element, T left, T right) {
  kernel(op, element, widest_here())(&left, &right, 1);
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
  for (const Element e : {Element::complex_f32, Element::complex_f64, Element::complex_long_double}) {
    CHECK(has(Operator::sum, e));
    CHECK(has(Operator::prod, e));
    CHECK_FALSE(has(Operator::max, e));
  }
  CHECK(has(Operator::lor, Element::logical_c_bool));
  CHECK_FALSE(has(Operator::sum, Element::logical_c_bool));
  for (int e = static_cast<int>(Element::i16_i32); e < elements; ++e)
    for (int op = 0; op < operators; ++op)
      CHECK(has(static_cast<Operator>(op), static_cast<Element>(e)) == (op >= static_cast<int>(Operator::minloc)));
}

TEST_CASE("units are packed sizes") {
  CHECK(kernel(Operator::sum, Element::i16).unit == 2);
  CHECK(kernel(Operator::sum, Element::long_double).unit == sizeof(long double));
  CHECK(kernel(Operator::prod, Element::complex_f64).unit == 16);
  CHECK(kernel(Operator::land, Element::logical_c_bool).unit == 1);
  CHECK(kernel(Operator::minloc, Element::i16_i32).unit == 6);
  CHECK(kernel(Operator::maxloc, Element::f64_i32).unit == 12);
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

TEST_CASE("the place of an extreme: the lesser where values are equal") {
  struct Located {
    float value;
    std::int32_t place;
    bool operator==(const Located&) const = default;
  };
  const auto min = [](Located a, Located b) { return once(Operator::minloc, Element::f32_i32, a, b); };
  const auto max = [](Located a, Located b) { return once(Operator::maxloc, Element::f32_i32, a, b); };
  CHECK(min({1, 7}, {2, 3}) == Located{1, 7});
  CHECK(max({1, 7}, {2, 3}) == Located{2, 3});
  CHECK(min({2, 7}, {2, 3}) == Located{2, 3});
  CHECK(max({2, -7}, {2, 3}) == Located{2, -7});
  CHECK(min({std::numeric_limits<float>::quiet_NaN(), 7}, {2, 3}) == Located{2, 3});
}

TEST_CASE("complex products have the textbook's bits, wherever they stand in the row") {
  using C = std::complex<float>;
  std::vector<C> left, right;
  for (int i = 0; i < 1003; ++i) {
    left.emplace_back(1.0F / static_cast<float>(3 + i), 0.7F * static_cast<float>(i));
    right.emplace_back(static_cast<float>(i) / 7.0F, 1.0F / static_cast<float>(11 + i));
  }
  auto out = right;
  kernel(Operator::prod, Element::complex_f32, widest_here())(left.data(), out.data(), out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const volatile float a = left[i].real() * right[i].real(), b = left[i].imag() * right[i].imag();
    const volatile float c = left[i].real() * right[i].imag(), d = left[i].imag() * right[i].real();
    REQUIRE(std::bit_cast<std::uint32_t>(out[i].real()) == std::bit_cast<std::uint32_t>(a - b));
    REQUIRE(std::bit_cast<std::uint32_t>(out[i].imag()) == std::bit_cast<std::uint32_t>(c + d));
  }
}

/// Bytes that make values of every kind for that element: ordinary ones, whose sums and products round, among zeros of
/// either sign, infinities, quiet and signalling NaN of various payloads, numbers near overflow and denormal ones.
class Awkward {
 public:
  explicit Awkward(unsigned seed) : random_(seed) {}

  std::vector<std::byte> row(Element element, std::size_t count) {
    switch (element) {
      case Element::f32:
      case Element::complex_f32:
      case Element::f32_f32:
      case Element::f32_i32:
        return floating<float>(2 * count);
      case Element::f64:
      case Element::complex_f64:
      case Element::f64_f64:
        return floating<double>(2 * count);
      case Element::f64_i32:
        return located(count);
      case Element::long_double:
      case Element::complex_long_double:
        return floating<long double>(2 * count);
      default:
        return integers(16 * count);
    }
  }

 private:
  template <typename T>
  T number() {
    using Limits = std::numeric_limits<T>;
    const std::array<T, 10> special{T(0),
                                    -T(0),
                                    Limits::infinity(),
                                    -Limits::infinity(),
                                    Limits::quiet_NaN(),
                                    -Limits::quiet_NaN(),
                                    Limits::max(),
                                    Limits::lowest(),
                                    Limits::min(),
                                    Limits::denorm_min()};
    const unsigned choice = random_() % 16;
    if (choice < special.size()) return special[choice];
    const T mantissa = static_cast<T>(random_()) / T(3);
    return std::ldexp(random_() % 2 != 0 ? mantissa : -mantissa, static_cast<int>(random_() % 60) - 30);
  }
  template <typename T>
  std::vector<std::byte> floating(std::size_t count) {
    std::vector<std::byte> bytes(count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) {
      const T value = number<T>();
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T) == 16 ? 10 : sizeof(T));
    }
    return bytes;
  }
  std::vector<std::byte> located(std::size_t count) {
    std::vector<std::byte> bytes(count * 12);
    for (std::size_t i = 0; i < count; ++i) {
      const double value = number<double>();
      const auto place = static_cast<std::int32_t>(random_() % 3);
      std::memcpy(bytes.data() + i * 12, &value, 8);
      std::memcpy(bytes.data() + i * 12 + 8, &place, 4);
    }
    return bytes;
  }
  /// Many small ones: equal values, and logical ones.
  std::vector<std::byte> integers(std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::byte& byte : bytes) byte = random_() % 2 != 0 ? std::byte{0} : static_cast<std::byte>(random_());
    return bytes;
  }

  std::mt19937 random_;
};

/// Where the result goes: to a row of its own, or over an operand.
enum class Into { apart, left, right };

std::vector<std::byte> result_of(const Reducer& op, const std::vector<std::byte>& left,
                                 const std::vector<std::byte>& right, std::size_t count, std::size_t shift, Into into,
                                 bool padded) {
  const std::size_t bytes = count * op.unit;
  // `shift` bytes off every alignment; one byte behind must stay.
  std::vector<std::byte> in(bytes + shift + 1), inout(in.size()), out(in.size());
  std::memcpy(in.data() + shift, left.data(), bytes);
  std::memcpy(inout.data() + shift, right.data(), bytes);
  std::vector<std::byte>& result = into == Into::left ? in : into == Into::right ? inout : out;
  result.back() = std::byte{0x5a};
  op(in.data() + shift, inout.data() + shift, result.data() + shift, count);
  CHECK(result.back() == std::byte{0x5a});
  // What lies between long doubles is nobody's.
  for (std::size_t i = 10; padded && i < bytes; i += i % 16 == 15 ? 11 : 1) result[shift + i] = std::byte{0};
  return {result.begin() + static_cast<std::ptrdiff_t>(shift), result.end() - 1};
}

TEST_CASE("all instruction sets give the same bits, wherever rows begin and end") {
  unsigned seed = 1;
  for (int e = 0; e < elements; ++e) {
    for (int o = 0; o < operators; ++o) {
      const auto op = static_cast<Operator>(o);
      const auto element = static_cast<Element>(e);
      const Reducer base = kernel(op, element);
      const bool padded = element == Element::long_double || element == Element::complex_long_double;
      if (base.apply == nullptr) continue;
      CAPTURE(e);
      CAPTURE(o);
      for (const std::size_t count : {1, 2, 3, 7, 15, 16, 17, 31, 33, 63, 65, 127, 129, 1021}) {
        Awkward awkward(seed++);
        const auto left = awkward.row(element, count), right = awkward.row(element, count);
        const auto expected = result_of(base, left, right, count, 0, Into::apart, padded);
        for (const std::size_t shift : {0, 1, 4, 8, 13}) {
          for (const Into into : {Into::apart, Into::left, Into::right}) {
            CHECK(result_of(base, left, right, count, shift, into, padded) == expected);
            for (const InstructionSet set : wider_sets()) {
              CAPTURE(static_cast<int>(set));
              CHECK(result_of(kernel(op, element, set), left, right, count, shift, into, padded) == expected);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tutti::shm::test
