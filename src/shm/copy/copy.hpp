#pragma once
/// Copying bytes, of which there may be none.
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace tutti::shm {

/// Without bytes either address may be null, as MPI's users give it; memcpy may not have it so.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}

/// The same for 64 bytes at most, without a call: that alone takes longer than to copy them.
inline void copy_few(void* to, const void* from, std::size_t bytes) {
  auto* const target = static_cast<char*>(to);
  const auto* const source = static_cast<const char*>(from);
  // Of a size with up to twice so many bytes: the first ones and the last, which may be some of them.
  const auto ends = [&]<std::size_t unit>(std::integral_constant<std::size_t, unit>) {
    std::array<char, unit> first, last;
    std::memcpy(first.data(), source, unit), std::memcpy(last.data(), source + bytes - unit, unit);
    std::memcpy(target, first.data(), unit), std::memcpy(target + bytes - unit, last.data(), unit);
  };
  if (bytes >= 4) {
    if (bytes <= 8) return ends(std::integral_constant<std::size_t, 4>());
    if (bytes <= 16) return ends(std::integral_constant<std::size_t, 8>());
    if (bytes <= 32) return ends(std::integral_constant<std::size_t, 16>());
    return ends(std::integral_constant<std::size_t, 32>());
  }
  for (std::size_t i = 0; i < bytes; ++i) target[i] = source[i];
}

}  // namespace tutti::shm
