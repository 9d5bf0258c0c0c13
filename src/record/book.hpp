#pragma once
/// What a rank's collectives are noted down in: figures of calls that are alike, and times of single calls, both in
/// memory of a fixed size.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::record {

inline constexpr std::uint32_t nowhere = ~std::uint32_t{0};

/// What calls that are noted together have in common.  Handles are taken as numbers.
struct Key {
  std::uint64_t datatype = 0, op = 0;
  std::int64_t bytes = 0;  ///< the call's size, as `tutti bench` counts it
  std::uint32_t site = nowhere, communicator = nowhere;
  std::int32_t root = -1;
  std::uint8_t collective = 0, in_place = 0;
  std::uint8_t rounded = 0;  ///< the size was rounded up to a power of two, or (2) all but the collective was dropped
  bool operator==(const Key&) const = default;
};

struct Entry {
  Key key;
  std::uint64_t calls = 0, ticks = 0, least = ~std::uint64_t{0}, most = 0;
  std::int64_t bytes = 0;  ///< of all calls together
};

/// One call.  Times are ticks of the rank's clock.
struct Sample {
  std::uint32_t entry = 0;
  std::uint32_t call = 0;  ///< which call on its communicator, from 0: equal on all ranks
  std::uint64_t begin = 0, end = 0;
};

class Book {
 public:
  /// Room for so many different keys, and a few more, and for the times of so many calls.
  Book(std::size_t keys, std::size_t samples);

  /// The number of a communicator new to the book.  `identity`: the same on all of its ranks, and on no others'.
  std::uint32_t add_communicator(std::uint64_t identity);

  /// Notes a call.  When half of the room for keys is taken, sizes of new ones are rounded up to powers of two; when
  /// all is, new ones are counted by collective alone.  When the room for times is full, half of the calls are
  /// forgotten, the same ones on all ranks, in no rhythm that a program could have.
  void add(const Key& key, std::uint64_t begin, std::uint64_t end);

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<Sample>& samples() const { return samples_; }
  /// One call in so many is kept with its times.
  std::uint64_t thinning() const { return mask_ + 1; }

 private:
  struct Communicator {
    std::uint64_t identity = 0, calls = 0;
  };
  std::uint32_t entry_of(const Key& key);
  std::uint32_t look_up(const Key& key, std::size_t& slot) const;
  bool chosen(const Communicator& communicator, std::uint32_t call) const;
  void thin_out();

  std::size_t keys_, most_samples_;
  std::vector<std::uint32_t> table_;  ///< open addressing; numbers of entries
  std::vector<Entry> entries_;
  std::vector<Sample> samples_;
  std::vector<Communicator> communicators_;
  std::uint64_t mask_ = 0;
};

}  // namespace tutti::record
