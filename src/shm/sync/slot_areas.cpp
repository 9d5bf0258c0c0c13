#include "shm/sync/slot_areas.hpp"

#include <algorithm>

namespace tutti::shm {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t least_capacity = 256;

constexpr std::size_t chunk_of(const ShmGroupOptions& options) {
  return options.chunk != 0 ? std::max(options.chunk, least_capacity) : chunks[1];
}

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

/// The stride is an odd number of line pairs: slots at powers of two would fight for the same cache sets.
SlotAreas::Sizes::Sizes(const ShmGroupOptions& options)
    : capacity(rounded_up(chunk_of(options), 64)),
      stride(rounded_up(capacity + payload_offset, 128) | 128),
      ring(rounded_up(options.backlog, 32)),
      slots(sizeof(Header) + slots_depth * stride),
      area(rounded_up(slots + Backlog::bytes(ring), page_bytes)) {}

}  // namespace tutti::shm
