#include "runtime/requests/loans.hpp"

#include <bit>

#include "shm/sync/waiting.hpp"

namespace tutti::runtime {
namespace {

constexpr std::size_t line = 64;
std::size_t lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

std::size_t counters(int number) { return lines(sizeof(std::uint32_t) * static_cast<std::size_t>(number)); }

}  // namespace

std::size_t Loans::bytes(int ranks) { return counters(channels) + counters(ranks) + sizeof(std::uint64_t) * notes; }

Loans::Loans(void* memory, int me, int ranks) : me_(me), ranks_(ranks) {
  auto* const start = static_cast<std::byte*>(memory);
  given_back_ = reinterpret_cast<std::atomic<std::uint32_t>*>(start);
  reached_ = reinterpret_cast<std::atomic<std::uint32_t>*>(start + counters(channels));
  notes_ = reinterpret_cast<std::atomic<std::uint64_t>*>(start + counters(channels) + counters(ranks));
}

/// Plus one; 0: none.  One that was lent so often is free once each rank has given it back as often.
std::uint32_t Loans::free_channel() const {
  for (std::uint32_t channel = 0; channel < channels; ++channel)
    if (given_back_[channel].load(std::memory_order_acquire) == lent_[channel] * static_cast<std::uint32_t>(ranks_))
      return channel + 1;
  return 0;
}

/// A note is written again only once everybody has read it.
void Loans::await_others(std::uint32_t number) const {
  for (int rank = 0; rank < ranks_ && number >= notes; ++rank)
    while (reached_[rank].load(std::memory_order_acquire) <= number - notes) shm::yield();
}

int Loans::next() {
  const std::uint32_t number = number_++;
  await_others(number);
  std::atomic<std::uint64_t>& note = notes_[number % notes];
  std::uint64_t seen = note.load(std::memory_order_acquire);
  while (std::bit_cast<Note>(seen).number != number + 1)
    if (const std::uint64_t mine = std::bit_cast<std::uint64_t>(Note{number + 1, free_channel()});
        note.compare_exchange_strong(seen, mine, std::memory_order_acq_rel))
      seen = mine;
  reached_[me_].store(number_, std::memory_order_release);
  const int channel = static_cast<int>(std::bit_cast<Note>(seen).channel) - 1;
  if (channel >= 0) ++lent_[static_cast<std::size_t>(channel)];
  return channel;
}

}  // namespace tutti::runtime
