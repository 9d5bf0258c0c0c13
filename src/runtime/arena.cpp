#include "runtime/arena.hpp"

#include <algorithm>
#include <new>

namespace tutti::runtime {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t smallest = 16 * 1024;
/// Kept from call to call for one communicator; larger memory is allocated at each call.
constexpr std::size_t kept = 8 * 1024 * 1024;

constexpr std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

Arena::Piece Arena::make(std::size_t bytes) {
  Piece piece{{static_cast<std::byte*>(std::aligned_alloc(alignment, bytes)), {}}, bytes};
  if (!piece.memory) throw std::bad_alloc();
  return piece;
}

std::byte* Arena::take(std::size_t bytes) {
  if (bytes > PTRDIFF_MAX - alignment) throw std::bad_alloc();
  bytes = rounded(bytes);
  if (pieces_.empty() || pieces_.back().size - used_ < bytes) {
    pieces_.push_back(make(std::max({bytes, smallest, rounded(std::min(taken_, kept))})));
    used_ = 0;
  }
  std::byte* const start = pieces_.back().memory.get() + used_;
  used_ += bytes;
  taken_ += bytes;
  return start;
}

void Arena::reset() {
  used_ = 0;
  if (pieces_.size() > 1 || (!pieces_.empty() && pieces_.back().size > kept)) {
    const std::size_t next = taken_;
    pieces_.clear();
    if (next <= kept) try {
        pieces_.push_back(make(next));
      } catch (const std::bad_alloc&) {  // the next call will ask again
      }
  }
  taken_ = 0;
}

}  // namespace tutti::runtime
