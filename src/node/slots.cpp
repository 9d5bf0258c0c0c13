#include "node/slots.hpp"

#include <algorithm>
#include <utility>

#include "node/placement.hpp"

namespace tutti::node {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t least_capacity = 256;

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

/// The stride is an odd number of line pairs: slots at powers of two would fight for the same cache sets.
Slots::Sizes::Sizes(const TeamOptions& options)
    : capacity(rounded_up(std::max(options.chunk, least_capacity), 64)),
      stride(rounded_up(capacity + payload_offset, 128) | 128),
      area(rounded_up(sizeof(Header) + depth * stride, page_bytes)) {}

std::size_t Slots::bytes(const TeamOptions& options) {
  return static_cast<std::size_t>(options.size) * Sizes(options).area;
}

Slots::Slots(Segment segment, const TeamOptions& options)
    : segment_(std::move(segment)),
      me_(options.me),
      size_(options.size),
      sizes_(options),
      left_by_(static_cast<std::size_t>(options.size), 0),
      waiter_(options.size > options.cpus, options.poke) {
  place_on_my_node(area(me_), sizes_.area);
}

void Slots::await_left(int member, Turn turn) {
  Turn& known = left_by_[static_cast<std::size_t>(member)];
  if (known >= turn) return;
  waiter_.until(progress(member), turn, bell(member));
  known = progress(member).load(std::memory_order_acquire);
}

void Slots::await_readers(const Use& use) {
  if (use.reader == nobody) return;
  if (use.reader != everybody) return await_left(use.reader, use.turn);
  Turn least = last_;
  for (int member = 0; member < size_; ++member) {
    if (member == me_) continue;
    await_left(member, use.turn);
    least = std::min(least, left_by_[static_cast<std::size_t>(member)]);
  }
  left_by_all_ = std::max(left_by_all_, least);
}

std::byte* Slots::scratch(std::size_t bytes) {
  if (scratch_.size() < bytes + 64) scratch_.resize(bytes + 64);
  const auto address = reinterpret_cast<std::uintptr_t>(scratch_.data());
  return scratch_.data() + (64 - address % 64);
}

}  // namespace tutti::node
