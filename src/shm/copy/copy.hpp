#pragma once
/// Copying bytes, of which there may be none.
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace tutti::shm {

/// Without bytes either address may be null, as users pass it; memcpy does not allow that.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}

/// The same for at most 64 bytes, inline: a call alone takes longer than the copy.
inline void copy_few(void* to, const void* from, std::size_t bytes) {
  auto* const target = static_cast<char*>(to);
  const auto* const source = static_cast<const char*>(from);
  // Up to twice so many bytes: the first ones and the last, which may overlap.
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
