#include "bench/pattern.hpp"

#include <algorithm>
#include <cstring>

namespace tutti::bench {

template <typename T>
Pattern<T>::Pattern(const Table& table) {
  std::copy(table.begin(), table.end(), twice_.begin());
  std::copy(table.begin(), table.end(), twice_.begin() + period);
}

template <typename T>
void Pattern<T>::fill(T* block, std::int64_t count, std::int64_t phase) const {
  const T* source = twice_.data() + phase % period;
  for (std::int64_t done = 0; done < count; done += period)
    std::memcpy(block + done, source,
                sizeof(T) * static_cast<std::size_t>(std::min<std::int64_t>(period, count - done)));
}

template <typename T>
bool Pattern<T>::matches(const T* block, std::int64_t count, std::int64_t phase) const {
  const T* right = twice_.data() + phase % period;
  for (std::int64_t done = 0; done < count; done += period) {
    const auto bytes = sizeof(T) * static_cast<std::size_t>(std::min<std::int64_t>(period, count - done));
    if (std::memcmp(block + done, right, bytes) != 0) return false;
  }
  return true;
}

template class Pattern<unsigned char>;
template class Pattern<float>;

template <typename T>
Pattern<T> contribution() {
  typename Pattern<T>::Table table;
  for (int i = 0; i < period; ++i) table[i] = static_cast<T>(i);
  return Pattern<T>(table);
}

template Pattern<unsigned char> contribution();
template Pattern<float> contribution();

Pattern<float> sum_of_contributions(int first, int last) {
  Pattern<float>::Table table;
  for (int i = 0; i < period; ++i) {
    std::int64_t sum = 0;
    for (int rank = first; rank < last; ++rank) sum += (i + phase_of(rank, 0, 0)) % period;
    table[i] = static_cast<float>(sum);
  }
  return Pattern<float>(table);
}

}  // namespace tutti::bench
