#include "bench/backend/buffers.hpp"

#include <algorithm>

#include "bench/caches.hpp"

namespace tutti::bench {

namespace {

constexpr std::int64_t line = 64;
constexpr std::int64_t beyond = 2;  ///< times the caches: a virtual machine may state one where its processors have two

/// Whole lines and one more, so that sets of a power of two do not all fall on the same cache sets.
std::int64_t padded(std::int64_t bytes) { return bytes == 0 ? 0 : (bytes + 2 * line - 1) / line * line; }

}  // namespace

int sets_for(std::int64_t stride, int ranks_on_node, std::int64_t cache_bytes) {
  constexpr std::int64_t most_on_node = std::int64_t{1} << 30;
  constexpr int usual = 64;
  const std::int64_t node_stride = BufferSets::variants * std::max<std::int64_t>(stride, 1) * ranks_on_node;
  const std::int64_t beyond_cache = cache_bytes / node_stride + 1;
  const std::int64_t affordable = most_on_node / node_stride;
  int sets = 2;
  while (sets < std::min<std::int64_t>(usual, beyond_cache) && 2 * sets <= affordable) sets *= 2;
  return sets;
}

BufferSets::BufferSets(Memory& memory, std::int64_t send_bytes, std::int64_t receive_bytes, int ranks_on_node,
                       bool single)
    : single_(single),
      send_stride_(padded(send_bytes)),
      stride_(std::max(line, send_stride_ + padded(receive_bytes))),
      count_(single ? 1 : sets_for(stride_, ranks_on_node, beyond * last_level_caches())),
      memory_(memory.wiped(variants * footprint())) {  // and so touched, outside of timing
}

Buffers BufferSets::operator()(int variant, int set) const {
  const int place = set % count_, flipped = place / 2 % 2;
  const int slot = variants * place + (variant ^ flipped);
  std::byte* const base = memory_ + (single_ ? 0 : slot * stride_);
  return {base, base + send_stride_, slot};
}

}  // namespace tutti::bench
