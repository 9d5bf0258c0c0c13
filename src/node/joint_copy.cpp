#include "node/joint_copy.hpp"

#include <algorithm>

#include "clock/cycles.hpp"

namespace tutti::node {

void JointNotice::clear() {
  answer.store(none, std::memory_order_relaxed);
  taken.store(0, std::memory_order_relaxed);
  written.store(0, std::memory_order_relaxed);
  failed.store(false, std::memory_order_relaxed);
}

template <typename Copy>
bool JointCopy::take(JointNotice& notice, Copy copy) const {
  const std::size_t length = piece(notice), offset = notice.taken.fetch_add(1, std::memory_order_relaxed) * length;
  if (offset >= notice.bytes) return false;
  copy(offset, std::min(length, notice.bytes - offset));
  return true;
}

/// Whoever may not write leaves all to the reader.
JointCopy::Cycles JointCopy::write(JointNotice& notice, int reader) {
  slots_.until(notice.answer, Notice::open, reader);
  std::uint64_t done = 0;
  const auto copy = [&](std::size_t offset, std::size_t bytes) {
    if (!single_copy_.write(reader, notice.target + offset, notice.address + offset, bytes))
      notice.failed.store(true, std::memory_order_relaxed);
    notice.written.store(++done, std::memory_order_release);
  };
  const std::uint64_t begin = notice.timed ? cycle_count() : 0;
  if (notice.answer.load(std::memory_order_acquire) == Notice::open)
    while (single_copy_.writes(reader) && take(notice, copy)) slots_.ring();
  const std::uint64_t end = notice.timed ? cycle_count() : 0;
  slots_.until(notice.answer, Notice::copied, reader);
  if (!notice.timed) return {};
  return {static_cast<double>(end - begin), static_cast<double>(cycle_count() - begin)};
}

void JointCopy::open(JointNotice& notice, Block block) {
  notice.target = block.start, notice.bytes = block.bytes, notice.read = 0;
  notice.answer.store(Notice::open, std::memory_order_release);
  slots_.ring();
}

double JointCopy::read(JointNotice& notice, int writer) {
  bool all = true;
  const auto copy = [&](std::size_t offset, std::size_t bytes) {
    all = single_copy_.read(writer, notice.address + offset, notice.target + offset, bytes) && all;
    ++notice.read;
  };
  const std::uint64_t begin = notice.timed ? cycle_count() : 0;
  while (take(notice, copy)) continue;
  if (!all) notice.failed.store(true, std::memory_order_relaxed);
  return notice.timed ? static_cast<double>(cycle_count() - begin) : 0;
}

void JointCopy::close(JointNotice& notice, int writer) {
  slots_.until(notice.written, pieces(notice) - notice.read, writer);
  const bool failed = notice.failed.load(std::memory_order_relaxed);
  notice.answer.store(failed ? Notice::refused : Notice::copied, std::memory_order_release);
  slots_.ring();
}

}  // namespace tutti::node
