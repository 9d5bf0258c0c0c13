#include "shm/copy/single_copy.hpp"

#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

namespace tutti::shm {
namespace {

/// Below what Linux transfers in one call (2 GiB less a page).
constexpr std::size_t most_at_once = std::size_t{1} << 30;

std::ptrdiff_t read_by_kernel(std::int64_t process, const void* from, void* into, std::size_t bytes) {
  const iovec here{into, bytes}, there{const_cast<void*>(from), bytes};
  return ::process_vm_readv(static_cast<pid_t>(process), &here, 1, &there, 1, 0);
}

std::ptrdiff_t write_by_kernel(std::int64_t process, void* into, const void* from, std::size_t bytes) {
  const iovec here{const_cast<void*>(from), bytes}, there{into, bytes};
  return ::process_vm_writev(static_cast<pid_t>(process), &here, 1, &there, 1, 0);
}

/// Transfers all bytes, in as many calls as the kernel needs: a call may be short, at an unmapped page or after 2 GiB.
/// `move(done, bytes)` returns what the kernel returns.
template <typename Move>
bool move_all(std::size_t bytes, Move move) {
  for (std::size_t done = 0; done < bytes;) {
    const std::ptrdiff_t moved = move(done, std::min(bytes - done, most_at_once));
    if (moved <= 0) return false;
    done += static_cast<std::size_t>(moved);
  }
  return true;
}

/// Differs from untouched memory, and from another member's nonce.
std::uint64_t fresh_nonce(const void* place) {
  std::uint64_t nonce = 0;
  if (::getrandom(&nonce, sizeof nonce, GRND_NONBLOCK) != sizeof nonce)
    nonce = reinterpret_cast<std::uintptr_t>(place) * 0x9E3779B97F4A7C15U ^ static_cast<std::uint64_t>(::getpid());
  return nonce | 1;
}

}  // namespace

std::size_t SingleCopy::bytes(const ShmGroupOptions& options) {
  return static_cast<std::size_t>(options.size) * sizeof(Card);
}

SingleCopy::SingleCopy(std::byte* memory, const ShmGroupOptions& options)
    : cards_(reinterpret_cast<const Card*>(memory)),
      me_(options.me),
      size_(options.size),
      read_memory_(options.read_memory != nullptr ? options.read_memory : read_by_kernel),
      write_memory_(options.write_memory != nullptr ? options.write_memory : write_by_kernel),
      nonce_(fresh_nonce(this)),
      refused_(static_cast<std::size_t>(options.size), 0),
      refused_writes_(refused_) {
  reinterpret_cast<Card*>(memory)[me_] = {::getpid(), &nonce_, nonce_};
}

bool SingleCopy::trial() const {
  for (int step = 1; step < size_; ++step) {
    const int member = (me_ + step) % size_;
    const Card& card = cards_[member];
    std::uint64_t found = 0;
    if (!copy(member, card.place, &found, sizeof found) || found != card.nonce) return false;
  }
  return true;
}

bool SingleCopy::read(int member, const std::byte* from, std::byte* into, std::size_t bytes) {
  char& refused = refused_[static_cast<std::size_t>(member)];
  if (refused == 0 && !copy(member, from, into, bytes)) refused = 1;
  return refused == 0;
}

bool SingleCopy::write(int member, std::byte* into, const std::byte* from, std::size_t bytes) {
  const std::int64_t process = cards_[member].process;
  const bool done = writes(member) && move_all(bytes, [&](std::size_t at, std::size_t length) {
                      return write_memory_(process, into + at, from + at, length);
                    });
  if (!done) refused_writes_[static_cast<std::size_t>(member)] = 1;
  return done;
}

bool SingleCopy::copy(int member, const void* from, void* into, std::size_t bytes) const {
  const std::int64_t process = cards_[member].process;
  return move_all(bytes, [&](std::size_t at, std::size_t length) {
    return read_memory_(process, static_cast<const std::byte*>(from) + at, static_cast<std::byte*>(into) + at, length);
  });
}

}  // namespace tutti::shm
