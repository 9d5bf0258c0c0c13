#include "runtime/requests/turnover.hpp"

#include <bit>

namespace tutti::runtime {

std::size_t Turnover::bytes(int ranks) { return 64 + sizeof(Member) * static_cast<std::size_t>(ranks); }

Turnover::Turnover(void* memory, int me, int ranks)
    : word_(static_cast<std::atomic<std::uint64_t>*>(memory)),
      members_(reinterpret_cast<Member*>(static_cast<char*>(memory) + 64)),
      me_(me),
      ranks_(ranks) {}

void Turnover::arrive() { members_[me_].arrived.store(1, std::memory_order_release); }

bool Turnover::all_arrived() const {
  for (int rank = 0; rank < ranks_; ++rank)
    if (members_[rank].arrived.load(std::memory_order_acquire) == 0) return false;
  return true;
}

void Turnover::join(std::uint32_t number, bool able) {
  joined_ = true;
  members_[me_].able.store(able ? 1 : 0, std::memory_order_relaxed);
  members_[me_].joined.store(number + 1, std::memory_order_seq_cst);
}

bool Turnover::all_joined() const {
  for (int rank = 0; rank < ranks_; ++rank)
    if (members_[rank].joined.load(std::memory_order_acquire) == 0) return false;
  return true;
}

bool Turnover::all_joined_by(std::uint32_t number) const {
  for (int rank = 0; rank < ranks_; ++rank)
    if (members_[rank].joined.load(std::memory_order_seq_cst) - 1 >= number + 1) return false;  // 0 - 1 is large
  return true;
}

bool Turnover::serves(std::uint32_t number) {
  if (served_) return true;
  std::uint64_t seen = word_->load(std::memory_order_seq_cst);
  for (;;) {
    const Decision known = std::bit_cast<Decision>(seen);
    if (known.first != 0) return served_ = number >= known.first;
    if (number < known.decided) return false;
    const bool first = number > 0 && all_joined_by(number);
    const Decision mine{first ? known.decided : number + 1, first ? number : 0};
    if (word_->compare_exchange_strong(seen, std::bit_cast<std::uint64_t>(mine), std::memory_order_seq_cst))
      return served_ = first;
  }
}

bool Turnover::all_able() const {
  for (int rank = 0; rank < ranks_; ++rank)
    if (members_[rank].able.load(std::memory_order_acquire) == 0) return false;
  return true;
}

}  // namespace tutti::runtime
