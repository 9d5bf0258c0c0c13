#include "bench/memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

using tutti::bench::Memory;

TEST_CASE("memory is kept from case to case, grows, and is wiped each time") {
  constexpr std::int64_t huge_page = 2 << 20;
  Memory memory;
  std::byte* const first = memory.wiped(3 << 20);
  CHECK(memory.size() == 2 * huge_page);
  CHECK(reinterpret_cast<std::uintptr_t>(first) % huge_page == 0);
  std::fill_n(first, 100, std::byte{1});
  CHECK(memory.wiped(100) == first);  // less: the same again
  CHECK(std::all_of(first, first + 100, [](std::byte value) { return value == std::byte{0xff}; }));
  std::byte* const larger = memory.wiped(5 << 20);
  CHECK(memory.size() == 3 * huge_page);
  CHECK(larger[(5 << 20) - 1] == std::byte{0xff});
}

TEST_CASE("nothing at all is still an address") {
  Memory memory;
  CHECK(memory.wiped(0) != nullptr);
}
