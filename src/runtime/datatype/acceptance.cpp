#include "runtime/datatype/acceptance.hpp"

#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "runtime/datatype/operators.hpp"
#include "runtime/platform/own_self.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {
namespace {

using shm::Element;
using shm::Operator;

/// One answer in a byte: these, or `read_as` plus the element.
constexpr std::uint8_t refused = 1, by_library = 2, read_as = 3;

/// What MPI 4.1, 6.9.2 and 6.9.4 define; libraries take more.
bool standard(Operator op, TypeInfo::Kind kind) {
  using enum TypeInfo::Kind;
  switch (op) {
    case Operator::min:
    case Operator::max:
      return kind == integer || kind == floating;
    case Operator::sum:
    case Operator::prod:
      return kind == integer || kind == floating || kind == complex;
    case Operator::land:
    case Operator::lor:
    case Operator::lxor:
      return kind == integer || kind == logical;
    case Operator::band:
    case Operator::bor:
    case Operator::bxor:
      return kind == integer || kind == byte;
    case Operator::minloc:
    case Operator::maxloc:
      return kind == pair;
  }
  return false;
}

/// Sums and products stay in range: beyond it some libraries saturate where they use wide registers, and wrap in the
/// elements that are left over.
template <typename T>
std::vector<T> telling_values(Operator op) {
  using Limits = std::numeric_limits<T>;
  if constexpr (!std::is_integral_v<T>) {
    return {0, 1, 2, T(-1), T(1.5), T(-2.25), T(0.1), T(1e30), Limits::max(), Limits::lowest()};
  } else {
    const bool adds = op == Operator::sum, multiplies = op == Operator::prod;
    std::vector<T> values{0, 1, 2, 3, 5};
    // As reals these are NaNs, which compare differently.
    if (std::is_signed_v<T> || !(adds || multiplies))
      values.insert(values.end(), {static_cast<T>(-1), static_cast<T>(-2), static_cast<T>(-7)});
    if (!multiplies) values.push_back(Limits::max() / 3);
    if (!adds && !multiplies)
      values.insert(values.end(), {Limits::min(), Limits::max(), static_cast<T>(Limits::max() / 3 * 2)});
    return values;
  }
}

/// Numbers whose products are exact, so that fused operations and others give the same.
template <typename T>
std::vector<std::array<T, 2>> telling_pairs() {
  return {{1, 2}, {-3, 5}, {T(0.5), -7}, {11, T(-0.25)}, {-6, -9}, {13, 4}};
}

/// Every value with every other.  NaNs and signed zeros are left out: on these our kernels define the result, for all
/// types of the same bits.
template <typename T>
bool same_bits(const std::vector<T>& values, const shm::Reducer& ours, MPI_Datatype type, MPI_Op op) {
  std::vector<T> left, right;
  for (const T& one : values)
    for (const T& other : values) left.push_back(one), right.push_back(other);
  std::vector<T> theirs = right;
  const int count = static_cast<int>(left.size());
  if (pmpi.Reduce_local(left.data(), theirs.data(), count, type, op) != MPI_SUCCESS) return false;
  ours(left.data(), right.data(), left.size());
  return std::memcmp(right.data(), theirs.data(), left.size() * sizeof(T)) == 0;
}

bool same_bits(Element element, Operator which, const shm::Reducer& ours, MPI_Datatype type, MPI_Op op) {
  switch (element) {
    case Element::i8:
      return same_bits(telling_values<std::int8_t>(which), ours, type, op);
    case Element::u8:
      return same_bits(telling_values<std::uint8_t>(which), ours, type, op);
    case Element::i16:
      return same_bits(telling_values<std::int16_t>(which), ours, type, op);
    case Element::u16:
      return same_bits(telling_values<std::uint16_t>(which), ours, type, op);
    case Element::i32:
      return same_bits(telling_values<std::int32_t>(which), ours, type, op);
    case Element::u32:
      return same_bits(telling_values<std::uint32_t>(which), ours, type, op);
    case Element::i64:
      return same_bits(telling_values<std::int64_t>(which), ours, type, op);
    case Element::u64:
      return same_bits(telling_values<std::uint64_t>(which), ours, type, op);
    case Element::f32:
      return same_bits(telling_values<float>(which), ours, type, op);
    case Element::f64:
      return same_bits(telling_values<double>(which), ours, type, op);
    case Element::complex_f32:
      return same_bits(telling_pairs<float>(), ours, type, op);
    case Element::complex_f64:
      return same_bits(telling_pairs<double>(), ours, type, op);
    default:  // extended precision has bytes that mean nothing; pairs stand in the standard
      return false;
  }
}

/// Elements of so many bytes.  A sum of integers is the same with and without a sign: the first will do.
std::vector<Element> of_size(std::int64_t bytes) {
  switch (bytes) {
    case 1:
      return {Element::i8, Element::u8};
    case 2:
      return {Element::i16, Element::u16};
    case 4:
      return {Element::i32, Element::u32, Element::f32};
    case 8:
      return {Element::i64, Element::u64, Element::f64, Element::complex_f32};
    case 16:
      return {Element::complex_f64};
    default:
      return {};
  }
}

/// A reduction of no elements: the MPI looks at the arguments and at nothing else.
std::uint8_t ask(Operator ours, MPI_Op op, MPI_Datatype type, const TypeInfo& info) {
  const MPI_Comm self = own_self();
  if (self == MPI_COMM_NULL) return info.predefined ? by_library : refused;  // with sessions alone
  std::byte in{}, out{};
  if (pmpi.Allreduce(&in, &out, 0, type, op, self) != MPI_SUCCESS) return refused;
  if (!info.flat) return by_library;
  for (const Element element : info.element ? std::vector{*info.element} : of_size(info.size)) {
    const shm::Reducer kernel = shm::kernel(ours, element);
    if (kernel.apply && same_bits(element, ours, kernel, type, op))
      return static_cast<std::uint8_t>(read_as + static_cast<std::uint8_t>(element));
  }
  return by_library;
}

/// As `ask`, without asking where the answer is known.
std::uint8_t answer(Operator ours, MPI_Op op, MPI_Datatype type, const TypeInfo& info) {
  if (info.element && standard(ours, info.kind))
    return static_cast<std::uint8_t>(read_as + static_cast<std::uint8_t>(*info.element));
  if (!info.answers) return ask(ours, op, type, info);
  std::atomic<std::uint8_t>& kept = info.answers->of[static_cast<std::size_t>(ours)];
  std::uint8_t known = kept.load(std::memory_order_relaxed);
  if (known == 0) kept.store(known = ask(ours, op, type, info), std::memory_order_relaxed);
  return known;
}

}  // namespace

Acceptance acceptance(MPI_Op op, MPI_Datatype type, const TypeInfo& info) {
  const std::optional<Operator> ours = operator_of(op);
  if (!ours || !info.usable) return {};
  const std::uint8_t found = answer(*ours, op, type, info);
  if (found < read_as) return {found == by_library, std::nullopt};
  return {true, static_cast<Element>(found - read_as)};
}

}  // namespace tutti::runtime
