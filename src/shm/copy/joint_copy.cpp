#include "shm/copy/joint_copy.hpp"

#include <algorithm>

#include "clock/cycles.hpp"

namespace tutti::shm {

void JointRendezvousHeader::clear() {
  answer.store(none, std::memory_order_relaxed);
  taken.store(0, std::memory_order_relaxed);
  written.store(0, std::memory_order_relaxed);
  failed.store(false, std::memory_order_relaxed);
}

template <typename Copy>
bool JointCopy::take(JointRendezvousHeader& rendezvous, Copy copy) const {
  const std::size_t length = piece(rendezvous),
                    offset = rendezvous.taken.fetch_add(1, std::memory_order_relaxed) * length;
  if (offset >= rendezvous.bytes) return false;
  copy(offset, std::min(length, rendezvous.bytes - offset));
  return true;
}

/// A writer that the kernel does not let write leaves all to the reader.
double JointCopy::write(JointRendezvousHeader& rendezvous, int reader) {
  slots_.until(rendezvous.answer, RendezvousHeader::open, reader);
  std::uint64_t done = 0;
  const auto copy = [&](std::size_t offset, std::size_t bytes) {
    if (!single_copy_.write(reader, rendezvous.target + offset, rendezvous.address + offset, bytes))
      rendezvous.failed.store(true, std::memory_order_relaxed);
    rendezvous.written.store(++done, std::memory_order_release);
  };
  const std::uint64_t begin = rendezvous.timed ? cycle_count() : 0;
  if (rendezvous.answer.load(std::memory_order_acquire) == RendezvousHeader::open)
    while (single_copy_.writes(reader) && take(rendezvous, copy)) slots_.ring();
  slots_.until(rendezvous.answer, RendezvousHeader::copied, reader);
  return rendezvous.timed ? static_cast<double>(cycle_count() - begin) : 0;
}

bool JointCopy::open(JointRendezvousHeader& rendezvous, Block block) {
  rendezvous.target = block.start, rendezvous.bytes = block.bytes, rendezvous.read = 0;
  if (!rendezvous.comes_first(RendezvousHeader::open)) return false;
  slots_.ring();
  return true;
}

void JointCopy::read(JointRendezvousHeader& rendezvous, int writer) {
  bool all = true;
  const auto copy = [&](std::size_t offset, std::size_t bytes) {
    all = single_copy_.read(writer, rendezvous.address + offset, rendezvous.target + offset, bytes) && all;
    ++rendezvous.read;
  };
  while (take(rendezvous, copy)) continue;
  if (!all) rendezvous.failed.store(true, std::memory_order_relaxed);
}

void JointCopy::close(JointRendezvousHeader& rendezvous, int writer, std::uint64_t since) {
  slots_.until(rendezvous.written, pieces(rendezvous) - rendezvous.read, writer);
  const bool failed = rendezvous.failed.load(std::memory_order_relaxed);
  if (since != 0) rendezvous.cycles.store(static_cast<float>(cycle_count() - since), std::memory_order_relaxed);
  rendezvous.answer.store(failed ? RendezvousHeader::refused : RendezvousHeader::copied, std::memory_order_release);
  slots_.ring();
}

}  // namespace tutti::shm
