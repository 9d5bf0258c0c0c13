#include "record/book.hpp"

#include <algorithm>
#include <bit>

namespace tutti::record {

namespace {

constexpr std::size_t collectives = 32;  ///< room for what is counted by collective alone

/// The finalizer of splitmix64: every bit of the result depends on every bit of the value.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

std::uint64_t hash_of(const Key& key) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;
  std::uint64_t hash = key.datatype * odd;
  hash = (hash ^ key.op ^ (hash >> 32)) * odd;
  hash = (hash ^ static_cast<std::uint64_t>(key.bytes) ^ (hash >> 29)) * odd;
  hash = (hash ^ (std::uint64_t{key.site} << 32 | key.communicator)) * odd;
  const std::uint64_t small = std::uint64_t{static_cast<std::uint32_t>(key.root)} << 24 |
                              std::uint64_t{key.collective} << 16 | std::uint64_t{key.in_place} << 8 | key.rounded;
  hash = (hash ^ small ^ (hash >> 31)) * odd;
  return hash ^ (hash >> 32);
}

}  // namespace

Book::Book(std::size_t keys, std::size_t samples)
    : keys_(keys),
      most_samples_(std::max<std::size_t>(samples, 2)),
      table_(2 * std::bit_ceil(keys + collectives), nowhere) {
  entries_.reserve(keys + collectives);
  samples_.reserve(most_samples_);
}

std::uint32_t Book::add_communicator(std::uint64_t identity) {
  communicators_.push_back({identity, 0});
  return static_cast<std::uint32_t>(communicators_.size() - 1);
}

/// `slot`: where it stands in the table, or ought to.
std::uint32_t Book::look_up(const Key& key, std::size_t& slot) const {
  const std::size_t last = table_.size() - 1;
  for (slot = hash_of(key) & last; table_[slot] != nowhere; slot = (slot + 1) & last)
    if (entries_[table_[slot]].key == key) return table_[slot];
  return nowhere;
}

std::uint32_t Book::entry_of(const Key& key) {
  std::size_t slot = 0;
  if (const std::uint32_t found = look_up(key, slot); found != nowhere) return found;
  Key rough = key;
  if (2 * entries_.size() >= keys_ && key.bytes > 0) {
    rough.bytes = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(key.bytes)));
    rough.rounded = 1;
    if (const std::uint32_t found = look_up(rough, slot); found != nowhere) return found;
  }
  if (entries_.size() >= keys_) {
    rough = {.collective = key.collective, .rounded = 2};
    if (const std::uint32_t found = look_up(rough, slot); found != nowhere) return found;
  }
  table_[slot] = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({.key = rough});
  return table_[slot];
}

bool Book::chosen(const Communicator& communicator, std::uint32_t call) const {
  return (mixed(communicator.identity + call) & mask_) == 0;
}

void Book::thin_out() {
  mask_ = 2 * mask_ + 1;
  std::erase_if(samples_, [&](const Sample& sample) {
    return !chosen(communicators_[entries_[sample.entry].key.communicator], sample.call);
  });
}

void Book::add(const Key& key, std::uint64_t begin, std::uint64_t end) {
  const std::uint32_t number = entry_of(key);
  Entry& entry = entries_[number];
  const std::uint64_t ticks = end > begin ? end - begin : 0;
  ++entry.calls;
  entry.ticks += ticks;
  entry.least = std::min(entry.least, ticks);
  entry.most = std::max(entry.most, ticks);
  entry.bytes += key.bytes;
  if (key.communicator == nowhere) return;
  Communicator& communicator = communicators_[key.communicator];
  const auto call = static_cast<std::uint32_t>(communicator.calls++);
  if (entry.key.communicator == nowhere || !chosen(communicator, call)) return;
  while (samples_.size() >= most_samples_) thin_out();
  if (chosen(communicator, call)) samples_.push_back({number, call, begin, end});
}

}  // namespace tutti::record
