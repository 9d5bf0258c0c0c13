#pragma once
/// Private memory of a member for results in between.
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tutti::shm {

class Scratch {
 public:
  /// At least `bytes`, 64-byte aligned, the same at each call that asks for no more.  For more than a slot it may throw
  /// std::bad_alloc, so it is called before the first turn is taken.
  std::byte* scratch(std::size_t bytes) {
    constexpr std::size_t line = 64;
    if (bytes_ < bytes) memory_.reset(new std::byte[bytes + line]), bytes_ = bytes;
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    return memory_.get() + (line - address % line);
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace tutti::shm
