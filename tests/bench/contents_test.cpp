#include "bench/contents.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

using namespace tutti::bench;

TEST_CASE("what is filled matches, and only that") {
  for (const std::string_view word : element_names) {
    const Element element = *element_named(word);
    CAPTURE(word);
    const Contents contents = Contents::contribution(element);
    const auto extent = static_cast<std::size_t>(extent_of(element));
    for (const int count : {0, 1, 250, 251, 252, 1000}) {
      std::vector<unsigned char> block((count + 1) * extent, 199);
      contents.fill(block.data(), count, 40);
      CHECK(block[count * extent] == 199);  // nothing behind the block is written
      CHECK(contents.matches(block.data(), count, 40));
      if (count == 0) continue;
      CHECK_FALSE(contents.matches(block.data(), count, 41));
      block[(count - 1) * extent] ^= 1;
      CHECK_FALSE(contents.matches(block.data(), count, 40));
    }
  }
}

TEST_CASE("gaps of a strided element are neither written nor looked at") {
  const Contents contents = Contents::contribution(Element::strided);
  std::vector<unsigned char> block(8 * 300, 199);
  contents.fill(block.data(), 300, 0);
  for (std::size_t i = 4; i < block.size(); i += 8) {
    CHECK(block[i] == 199);
    block[i] = 0;
  }
  CHECK(contents.matches(block.data(), 300, 0));
}

TEST_CASE("segments in the wrong order are noticed") {
  const Contents contents = Contents::contribution(Element::byte);
  std::vector<unsigned char> block(4096);
  contents.fill(block.data(), 4096, 3);
  std::swap_ranges(block.begin(), block.begin() + 1024, block.begin() + 1024);
  CHECK_FALSE(contents.matches(block.data(), 4096, 3));
}

TEST_CASE("blocks differ by sender, receiver and repetition") {
  CHECK(phase_of(1, 0, 0) != phase_of(0, 0, 0));
  CHECK(phase_of(0, 1, 0) != phase_of(0, 0, 0));
  CHECK(phase_of(0, 0, 1) != phase_of(0, 0, 0));
  CHECK(phase_of(100000, 100000, std::int64_t{1} << 60) < period);
}

namespace {

/// As an MPI library would combine them.
template <typename T, typename Combine>
void check_combined(Element element, Operator op, Combine combine) {
  const Contents one = Contents::contribution(element, op), all = Contents::combined(element, op, 2, 9);
  for (const std::int64_t repetition : {0, 5, 300}) {
    std::vector<T> total(600), block(600);
    one.fill(total.data(), 600, phase_of(2, 0, repetition));
    for (int rank = 3; rank < 9; ++rank) {
      one.fill(block.data(), 600, phase_of(rank, 0, repetition));
      for (int i = 0; i < 600; ++i) total[i] = static_cast<T>(combine(total[i], block[i]));
    }
    CHECK(all.matches(total.data(), 600, phase_of(0, 0, repetition)));
    CHECK(std::count(total.begin(), total.end(), total[0]) < 600);  // it says something
  }
}

}  // namespace

TEST_CASE("what is combined is what combining contributions gives, in every repetition") {
  using enum Operator;
  check_combined<float>(Element::float32, sum, [](float a, float b) { return a + b; });
  check_combined<double>(Element::float64, prod, [](double a, double b) { return a * b; });
  check_combined<double>(Element::float64, min, [](double a, double b) { return std::min(a, b); });
  check_combined<std::int64_t>(Element::int64, max, [](auto a, auto b) { return std::max(a, b); });
  check_combined<std::int32_t>(Element::int32, ordered, [](auto a, auto b) { return a + b; });
  check_combined<std::int32_t>(Element::int32, bor, [](auto a, auto b) { return a | b; });
  check_combined<std::int32_t>(Element::int32, bxor, [](auto a, auto b) { return a ^ b; });
  check_combined<std::int32_t>(Element::int32, land, [](auto a, auto b) { return a && b ? 1 : 0; });
  check_combined<std::int32_t>(Element::int32, lor, [](auto a, auto b) { return a || b ? 1 : 0; });
  check_combined<std::int32_t>(Element::int32, lxor, [](auto a, auto b) { return (a != 0) != (b != 0) ? 1 : 0; });
}

namespace {

template <typename T>
struct [[gnu::packed]] Packed {
  T value;
  std::int32_t place;
  bool operator==(const Packed& other) const { return value == other.value && place == other.place; }
};

template <typename T>
void check_places(Element element) {
  using Pair = Packed<T>;
  CHECK(size_of(element) == static_cast<int>(sizeof(Pair)));
  const auto better = [](bool wins, Pair a, Pair b) { return a.value == b.value ? a.place < b.place : wins; };
  const auto least = [&](Pair a, Pair b) { return better(a.value < b.value, a, b) ? a : b; };
  const auto most = [&](Pair a, Pair b) { return better(a.value > b.value, a, b) ? a : b; };
  if (extent_of(element) == size_of(element)) {
    check_combined<Pair>(element, Operator::minloc, least);
    check_combined<Pair>(element, Operator::maxloc, most);
  }
}

}  // namespace

TEST_CASE("places of the least and the largest, the lower of two alike") {
  check_places<std::int32_t>(Element::int32_at);
  check_places<float>(Element::float32_at);
  check_places<double>(Element::float64_at);
}

TEST_CASE("operators take what MPI defines them for") {
  CHECK(defined(Operator::minloc, Element::float64_at));
  CHECK_FALSE(defined(Operator::minloc, Element::float32));
  CHECK_FALSE(defined(Operator::sum, Element::int32_at));
  CHECK(defined(Operator::maxloc, usual_element(Operator::maxloc)));
  CHECK(defined(Operator::sum, Element::float64));
  CHECK(defined(Operator::band, Element::int32));
  CHECK_FALSE(defined(Operator::band, Element::float32));
  CHECK_FALSE(defined(Operator::sum, Element::strided));
  CHECK_FALSE(defined(Operator::sum, Element::byte));
}
