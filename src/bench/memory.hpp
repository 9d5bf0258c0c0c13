#pragma once
/// Memory for one case's buffers after the other's.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace tutti::bench {

/// Kept from case to case: allocating pages from the kernel and releasing them takes longer than the calls of many
/// cases (sixteen ranks' 512 MiB for an alltoall of 32 KiB: more than a second).
class Memory {
 public:
  /// So many bytes that have been written to, all of them 0xff, at the beginning of a huge page; what was there before
  /// is lost.  Throws std::bad_alloc.
  std::byte* wiped(std::int64_t bytes);
  std::int64_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::int64_t size_ = 0;
};

}  // namespace tutti::bench
