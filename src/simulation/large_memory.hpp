#pragma once
/// Memory of many millions of small things: in huge pages where the kernel has some, since each page costs a fault, and
/// each access far away a walk through the page tables.
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <vector>

namespace tutti::simulation {

template <class T>
struct LargeAllocator {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{2} << 20;

  LargeAllocator() = default;
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>&) {}  // NOLINT: as the standard's allocators

  T* allocate(std::size_t count) {
    std::size_t bytes = count * sizeof(T);
    if (bytes < 2 * page) return static_cast<T*>(::operator new(bytes));
    bytes = (bytes + page - 1) / page * page;
    void* const memory = std::aligned_alloc(page, bytes);
    if (!memory) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: without it all works as well
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < 2 * page)
      ::operator delete(memory);
    else
      std::free(memory);
  }
  bool operator==(const LargeAllocator&) const { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

/// Sequences that are added once, and stay where they are until all go.
template <class T>
class Store {
 public:
  std::span<const T> add(const std::vector<T>& items) {
    if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < items.size()) {
      chunks_.emplace_back();
      chunks_.back().reserve(std::max(items.size(), chunk));
      chunk = std::min(2 * chunk, most);
    }
    LargeVector<T>& last = chunks_.back();
    last.insert(last.end(), items.begin(), items.end());
    return {last.data() + (last.size() - items.size()), items.size()};
  }

 private:
  static constexpr std::size_t most = (std::size_t{16} << 20) / sizeof(T);
  std::size_t chunk = 1024;  ///< of the next one
  std::vector<LargeVector<T>> chunks_;
};

}  // namespace tutti::simulation
