#pragma once
/// PairwiseRings: data too long for a slot, from one member to another, chunk after chunk.
///
/// Each member owns one ring of `depth` places, which it alone fills.  It numbers its chunks; a reader learns the
/// number of its first chunk from a slot (exchange.hpp) and continues from there.  Each chunk has one reader, which
/// marks the place as read.  So only the two take part, and others may lag behind by any number of calls.  Numbers that
/// were reserved and never written do no harm.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shm/sync/depth.hpp"
#include "shm/sync/slots.hpp"

namespace tutti::shm {

class PairwiseRings {
 public:
  using Number = std::uint64_t;
  static constexpr std::size_t depth = lanes_depth;

  static std::size_t bytes(const ShmGroupOptions& options);
  /// `memory`: bytes(options) of the segment.
  PairwiseRings(std::byte* memory, const ShmGroupOptions& options, Slots& slots);

  /// Whether my chunks lie in the long ring now.
  bool in_long_ring() const { return slots_.long_ring().in_use(); }
  /// Bytes of a chunk; the last of a row may be shorter.
  std::size_t chunk() const { return sizes_.chunk; }
  /// Reserves numbers for my next `count` chunks; returns the first.
  Number reserve(std::size_t count) {
    const Number first = last_ + 1;
    last_ += count;
    return first;
  }
  /// Whether `write` would not wait.
  bool writable(Number number) const {
    return place(slots_.me(), number).read.load(std::memory_order_acquire) >= held_[number % depth].number;
  }
  /// Whether `read` would not wait.
  bool readable(int owner, Number number) const {
    return place(owner, number).written.load(std::memory_order_acquire) == number;
  }
  /// Waits until that chunk of the owner's is in its place, or `deposited` says that it never will be.  Which of them.
  bool arrives(int owner, Number number, const std::atomic<Number>& deposited);
  /// Whether the place of that chunk of mine, of a block of so many bytes, is free soon.
  bool writable_soon(Number number, std::size_t bytes) {
    return slots_.soon(place(slots_.me(), number).read, held_[number % depth].number, bytes);
  }
  /// Waits until the place's previous chunk has been read.  Numbers rise from call to call.  `cycles`: accumulates the
  /// cycles of copying, and of the wait where it `counts`; or null.
  void write(Number number, int reader, const std::byte* from, std::size_t bytes, double* cycles = nullptr,
             bool counts = false);
  /// Waits for that chunk of the owner's.  `since`: the owner may ask for the cycles since then; 0: it will not.
  void read(int owner, Number number, std::byte* into, std::size_t bytes, std::uint64_t since = 0);
  /// Whether that chunk of mine has been read.
  bool is_read(Number number) const {
    return place(slots_.me(), number).read.load(std::memory_order_acquire) >= number;
  }
  /// The reader's cycles up to that chunk of mine, which has been read; 0 if a later chunk has its place already.
  double cycles_of_reader(Number number) const {
    const bool is_held = held_[number % depth].number == number;
    return is_held ? place(slots_.me(), number).cycles.load(std::memory_order_relaxed) : 0;
  }

 private:
  struct Place {
    alignas(128) std::atomic<Number> written;  ///< by the owner; the chunk follows the struct
    std::atomic<Note> note;                    ///< how
    LongRing::Position at;                     ///< in the long ring, or none
    alignas(128) std::atomic<Number> read;     ///< by the chunk's reader
    std::atomic<float> cycles;                 ///< the reader's
  };
  struct Held {
    Number number = 0;
    int reader = 0;
  };
  struct Sizes {
    std::size_t chunk, stride, area;
    explicit Sizes(const ShmGroupOptions& options);
  };
  Place& place(int owner, Number number) const {
    return *reinterpret_cast<Place*>(memory_ + static_cast<std::size_t>(owner) * sizes_.area +
                                     number % depth * sizes_.stride);
  }

  static std::byte* after(Place& place) { return reinterpret_cast<std::byte*>(&place) + sizeof(Place); }
  const std::byte* payload(int owner, Place& place) const {
    return place.at == LongRing::none ? after(place) : slots_.long_ring().announced(owner, place.at);
  }
  std::byte* memory_for(Place& mine, Number number, const std::byte* from, std::size_t bytes);

  std::byte* memory_;
  Slots& slots_;
  Sizes sizes_;
  Number last_ = 0;                 ///< reserved last
  std::array<Held, depth> held_{};  ///< by my places
};

}  // namespace tutti::shm
