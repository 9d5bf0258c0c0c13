#include "bench/contents.hpp"

#include <algorithm>
#include <cstring>

namespace tutti::bench {

namespace {

template <std::size_t Count>
std::optional<std::size_t> place_of(std::string_view word, const std::array<std::string_view, Count>& names) {
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::int64_t contributed(Operator op, std::int64_t place) {
  const std::int64_t value = place % period;
  if (op == Operator::prod) return 1 + value % 2;
  // Zeros among ones where most ranks have ones, and ones among zeros where they have zeros.
  if (op == Operator::land) return value % 7 != 0 ? 1 : 0;
  if (op == Operator::lor) return value % 7 == 0 ? 1 : 0;
  if (op == Operator::lxor) return value % 2;
  return value;
}

/// As the pairs of MPI_MINLOC, without the gap that a double and an int have behind them.
template <typename T>
struct [[gnu::packed]] At {
  T value;
  std::int32_t place;
};

template <typename T>
void contribute(T& element, Operator op, std::int64_t place) {
  element = static_cast<T>(contributed(op, place));
}

template <typename T>
void contribute(At<T>& element, Operator, std::int64_t place) {
  element = {static_cast<T>(place % period % 7), static_cast<std::int32_t>(place % period)};
}

/// The lower place of two equal values.
template <typename T>
At<T> combine(Operator op, At<T> one, At<T> other) {
  const bool first =
      one.value == other.value ? one.place < other.place : (op == Operator::minloc) == (one.value < other.value);
  return first ? one : other;
}

template <typename T>
T combine(Operator op, T one, T other) {
  using enum Operator;
  if (op == prod) return one * other;
  if (op == max) return std::max(one, other);
  if (op == min) return std::min(one, other);
  if (op == sum || op == user || op == ordered) return one + other;
  const auto left = static_cast<std::int64_t>(one), right = static_cast<std::int64_t>(other);
  if (op == band || op == land) return static_cast<T>(left & right);
  if (op == bor || op == lor) return static_cast<T>(left | right);
  return static_cast<T>(left ^ right);
}

template <typename T>
std::array<T, period> table_of(Operator op, int first, int last) {
  std::array<T, period> table;
  for (int i = 0; i < period; ++i) {
    contribute(table[i], op, i + phase_of(first, 0, 0));
    for (int rank = first + 1; rank < last; ++rank) {
      T other;
      contribute(other, op, i + phase_of(rank, 0, 0));
      table[i] = combine(op, table[i], other);
    }
  }
  return table;
}

}  // namespace

std::optional<Element> element_named(std::string_view word) {
  const auto place = place_of(word, element_names);
  return place ? std::optional(static_cast<Element>(*place)) : std::nullopt;
}

int size_of(Element element) {
  constexpr std::array<int, element_names.size()> sizes = {1, 4, 8, 4, 8, 4, 8, 8, 12};
  return sizes[static_cast<std::size_t>(element)];
}

int extent_of(Element element) {
  if (element == Element::float64_at) return 16;
  return element == Element::strided ? 2 * size_of(element) : size_of(element);
}

std::optional<Operator> operator_named(std::string_view word) {
  const auto place = place_of(word, operator_names);
  return place ? std::optional(static_cast<Operator>(*place)) : std::nullopt;
}

bool defined(Operator op, Element element) {
  using enum Operator;
  if (element == Element::byte || element == Element::strided) return false;
  const bool places = element >= Element::int32_at, seeks = op == maxloc || op == minloc;
  if (places || seeks) return places && seeks;
  const bool whole = element == Element::int32 || element == Element::int64;
  // The product of many ranks' numbers does not fit into whole ones.
  if (op == prod) return !whole;
  return whole || op == sum || op == max || op == min || op == user || op == ordered;
}

Element usual_element(Operator op) {
  return op == Operator::maxloc || op == Operator::minloc ? Element::float32_at : Element::float32;
}

template <typename T>
Contents Contents::of(Element element, const std::array<T, period>& table) {
  Contents result;
  result.size_ = size_of(element);
  result.extent_ = extent_of(element);
  result.twice_.resize(2 * sizeof table);
  std::memcpy(result.twice_.data(), table.data(), sizeof table);
  std::memcpy(result.twice_.data() + sizeof table, table.data(), sizeof table);
  return result;
}

Contents Contents::combined(Element element, Operator op, int first, int last) {
  using enum Element;
  if (element == byte) return of(element, table_of<unsigned char>(op, first, last));
  if (element == int64) return of(element, table_of<std::int64_t>(op, first, last));
  if (element == float32) return of(element, table_of<float>(op, first, last));
  if (element == float64) return of(element, table_of<double>(op, first, last));
  if (element == int32_at) return of(element, table_of<At<std::int32_t>>(op, first, last));
  if (element == float32_at) return of(element, table_of<At<float>>(op, first, last));
  if (element == float64_at) return of(element, table_of<At<double>>(op, first, last));
  return of(element, table_of<std::int32_t>(op, first, last));
}

/// Rank 0's phase is 0.
Contents Contents::contribution(Element element, Operator op) { return combined(element, op, 0, 1); }

const std::byte* Contents::from(std::int64_t phase) const { return twice_.data() + size_ * (phase % period); }

void Contents::fill(void* block, std::int64_t count, std::int64_t phase) const {
  auto* to = static_cast<std::byte*>(block);
  const std::byte* const source = from(phase);
  for (std::int64_t done = 0; done < count; done += period, to += period * extent_) {
    const std::int64_t elements = std::min<std::int64_t>(period, count - done);
    if (size_ == extent_)
      std::memcpy(to, source, static_cast<std::size_t>(elements * size_));
    else
      for (std::int64_t i = 0; i < elements; ++i)
        std::memcpy(to + i * extent_, source + i * size_, static_cast<std::size_t>(size_));
  }
}

bool Contents::matches(const void* block, std::int64_t count, std::int64_t phase) const {
  const auto* at = static_cast<const std::byte*>(block);
  const std::byte* const right = from(phase);
  const auto same = [&](std::int64_t i, std::int64_t elements) {
    return std::memcmp(at + i * extent_, right + i * size_, static_cast<std::size_t>(elements * size_)) == 0;
  };
  for (std::int64_t done = 0; done < count; done += period, at += period * extent_) {
    const std::int64_t elements = std::min<std::int64_t>(period, count - done), piece = size_ == extent_ ? elements : 1;
    for (std::int64_t i = 0; i < elements; i += piece)
      if (!same(i, piece)) return false;
  }
  return true;
}

}  // namespace tutti::bench
