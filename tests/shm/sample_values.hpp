#pragma once
/// What the sample calls move and combine: rows of values that tell whose they are, and of which call.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sample_calls.hpp"

namespace tutti::shm::test {

using Value = std::uint64_t;
inline constexpr std::size_t longest_row = 128;
using Row = std::array<Value, longest_row>;
inline constexpr std::size_t refusable_values = refusable_bytes / sizeof(Value);

/// Unlike any other member's, index's and call's.
inline Value value(int member, std::size_t i, int index) {
  return (static_cast<Value>(index + 1) << 44 | static_cast<Value>(member + 1) << 36 | i << 4) + 1;
}

inline Row row_of(int member, int index) {
  Row row;
  for (std::size_t i = 0; i < longest_row; ++i) row[i] = value(member, i, index);
  return row;
}

template <typename Right>
bool holds(const Row& row, std::size_t count, Right right) {
  for (std::size_t i = 0; i < count; ++i)
    if (row[i] != right(i)) return false;
  return true;
}

inline std::string of(const char* name, std::size_t count) { return std::string(name) + ' ' + std::to_string(count); }
inline std::string from(const char* name, int root, std::size_t count) {
  return of(name, count) + " root " + std::to_string(root);
}

}  // namespace tutti::shm::test
