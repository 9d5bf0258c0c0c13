#include "bench/memory.hpp"

#include <cstring>
#include <new>

namespace tutti::bench {

std::byte* Memory::wiped(std::int64_t bytes) {
  constexpr std::int64_t huge_page = 2 << 20;
  if (bytes > size_ || !memory_) {
    const std::int64_t rounded = (bytes + huge_page - 1) / huge_page * huge_page;
    memory_.reset();  // before there is more
    size_ = 0;
    memory_.reset(static_cast<std::byte*>(
        std::aligned_alloc(huge_page, static_cast<std::size_t>(rounded > 0 ? rounded : huge_page))));
    if (!memory_) throw std::bad_alloc();
    size_ = rounded;
  }
  std::memset(memory_.get(), 0xff, static_cast<std::size_t>(bytes));
  return memory_.get();
}

}  // namespace tutti::bench
