#include "shm/sync/pairwise_rings.hpp"

#include <algorithm>
#include <cstring>

#include "clock/cycles.hpp"
#include "shm/segment/placement.hpp"

namespace tutti::shm {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t least_chunk = 64, least_unasked = 16 * 1024;

constexpr std::size_t chunk_of(const ShmGroupOptions& options) {
  return options.ring_chunk != 0 ? std::max(options.ring_chunk, least_chunk) : std::max(options.chunk, least_unasked);
}

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

/// Places at an odd number of line pairs, as slots.
PairwiseRings::Sizes::Sizes(const ShmGroupOptions& options)
    : chunk(rounded_up(chunk_of(options), 64)),
      stride(rounded_up(sizeof(Place) + chunk, 128) | 128),
      area(rounded_up(depth * stride, page_bytes)) {}

std::size_t PairwiseRings::bytes(const ShmGroupOptions& options) {
  return static_cast<std::size_t>(options.size) * Sizes(options).area;
}

PairwiseRings::PairwiseRings(std::byte* memory, const ShmGroupOptions& options, Slots& slots)
    : memory_(memory), slots_(slots), sizes_(options) {
  place_on_my_node(memory_ + static_cast<std::size_t>(options.me) * sizes_.area, sizes_.area);
}

std::byte* PairwiseRings::memory_for(Place& mine, Number number, const std::byte* from, std::size_t bytes) {
  LongRing& ring = slots_.long_ring();
  const std::size_t holder = LongRing::place(number);
  mine.at = ring.takes(from, bytes) ? slots_.reserve_long(holder, bytes) : LongRing::none;
  if (mine.at == LongRing::none) return after(mine);
  ring.is_read_by(holder, mine.read, number);
  return ring.mine(mine.at);
}

void PairwiseRings::write(Number number, int reader, const std::byte* from, std::size_t bytes, double* cycles,
                          bool counts) {
  Place& mine = place(slots_.me(), number);
  Held& held = held_[number % depth];
  std::uint64_t begin = cycles != nullptr && counts ? cycle_count() : 0;
  slots_.until(mine.read, held.number, held.reader);
  if (cycles != nullptr && !counts) begin = cycle_count();
  const Note note = slots_.fill_ring(memory_for(mine, number, from, bytes), from, bytes, held.reader);
  if (cycles != nullptr) *cycles += static_cast<double>(cycle_count() - begin);
  mine.note.store(note, std::memory_order_relaxed);
  held = {number, reader};
  mine.written.store(number, std::memory_order_release);
  slots_.ring();
}

/// A later chunk in the place says the same: the owner has gone on.
bool PairwiseRings::arrives(int owner, Number number, const std::atomic<Number>& deposited) {
  return slots_.until_either(place(owner, number).written, deposited, number, owner) == number;
}

void PairwiseRings::read(int owner, Number number, std::byte* into, std::size_t bytes, std::uint64_t since) {
  Place& theirs = place(owner, number);
  slots_.note_place();
  slots_.until(theirs.written, number, owner);
  slots_.read(Traffic::ring, theirs.note, into, payload(owner, theirs), bytes);
  if (since != 0) theirs.cycles.store(static_cast<float>(cycle_count() - since), std::memory_order_relaxed);
  theirs.read.store(number, std::memory_order_release);
  slots_.ring();
}

}  // namespace tutti::shm
