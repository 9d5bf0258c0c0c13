/// Long payloads lie in a ring of their own, and are right whatever is still read when it comes round.
#include "shm/sync/long_ring.hpp"

#include <atomic>
#include <numeric>

#include "crew.hpp"

namespace tutti::shm::test {
namespace {

constexpr std::size_t ring_bytes = 4096;

ShmGroupOptions with_ring(int size, std::size_t bytes, std::size_t after = 0) {
  ShmGroupOptions options;
  options.size = options.cpus = size, options.long_ring = bytes;
  options.long_payload = 100, options.long_ring_after = after;
  return options;
}

struct Alone {
  std::vector<std::byte> memory{ring_bytes};
  LongRing ring;
  explicit Alone(std::size_t after = 0) : ring(memory.data(), with_ring(1, ring_bytes, after)) {}
  /// What slots hold is read, or not.
  LongRing::Position reserve(std::size_t holder, std::size_t bytes, bool read) {
    return ring.reserve(holder, bytes, [read](std::size_t) { return read; });
  }
};

TEST_CASE("payloads follow one another at lines of their own, and begin anew where the next one does not fit") {
  Alone alone;
  CHECK(alone.reserve(0, 1000, true) == 0);
  CHECK(alone.reserve(1, 1000, true) == 1024);
  CHECK(alone.reserve(2, 1900, true) == 2048);
  CHECK(alone.reserve(3, 200, true) == 0);
  CHECK(alone.reserve(4, ring_bytes, true) == 0);
}

TEST_CASE("what is still read is not overwritten, and its own holder's payload is over") {
  Alone alone;
  CHECK(alone.reserve(0, 3000, false) == 0);
  CHECK(alone.reserve(1, 3000, false) == LongRing::none);
  CHECK(alone.reserve(0, 3000, false) == 0);
  CHECK(alone.reserve(1, 900, false) == 3072);
  CHECK(alone.reserve(2, 900, false) == LongRing::none);
  CHECK(alone.reserve(2, 900, true) == 0);
}

TEST_CASE("a place of a pairwise ring is over once its reader says so") {
  Alone alone;
  std::atomic<std::uint64_t> read = 6;
  CHECK(alone.reserve(LongRing::place(7), 3000, true) == 0);
  alone.ring.is_read_by(LongRing::place(7), read, 7);
  CHECK(alone.reserve(0, 3000, true) == LongRing::none);
  read = 7;
  CHECK(alone.reserve(0, 3000, true) == 0);
}

TEST_CASE("its pages are taken some at a time, and it is used when it has them all") {
  constexpr std::size_t bytes = 128 * 1024, step = 16 * 1024;
  std::vector<std::byte> memory(bytes), buffer(step);
  LongRing ring(memory.data(), with_ring(1, bytes, 1));
  std::size_t calls = 0;
  while (!ring.takes(buffer.data(), buffer.size())) ++calls;
  CHECK(ring.in_use());
  CHECK(calls >= (bytes / step) + (bytes / step) - 1);  // a ring-full passes first, then a step in a call at most
}

TEST_CASE("a program's first groups have it from the start, for buffers that are sent again") {
  std::vector<std::byte> memory(ring_bytes), buffer(ring_bytes);
  ShmGroupOptions options = with_ring(1, ring_bytes, 4);
  options.long_ring_now = true;
  LongRing ring(memory.data(), options);
  CHECK(ring.in_use());
  CHECK(!ring.takes(buffer.data(), 1000));
  CHECK(ring.takes(buffer.data(), 1000));
}

TEST_CASE("it is used once enough has passed, for long payloads from recent buffers that it can hold") {
  Alone alone(2);
  std::vector<std::byte> of(64);
  const auto takes = [&](std::size_t buffer, std::size_t bytes) { return alone.ring.takes(of.data() + buffer, bytes); };
  CHECK(!takes(0, 3000));  // the first time
  CHECK(!takes(0, 99));    // short
  CHECK(!takes(0, 3000));
  CHECK(!takes(0, 3000));
  CHECK(!alone.ring.in_use());
  CHECK(takes(0, 3000));  // 9000 bytes of 8192
  CHECK(takes(0, 100));
  CHECK(!takes(0, 99));
  CHECK(!takes(0, ring_bytes + 1));
  CHECK(!takes(1, 3000));
  CHECK(takes(1, 3000));
  for (std::size_t buffer = 2; buffer < 32; ++buffer) CHECK(!takes(buffer, 3000));
  CHECK(!takes(0, 3000));  // too long ago
  CHECK(!alone.ring.takes(nullptr, 3000));
  LongRing none(nullptr, with_ring(1, 0));
  CHECK(!none.takes(of.data(), 1000));
}

/// Everybody's blocks to everybody, and a bcast; how many words came out wrong.
int exchange(ShmGroup& group, int call, std::size_t words) {
  const auto size = static_cast<std::size_t>(group.size()), me = static_cast<std::size_t>(group.me());
  const auto word = [&](std::size_t from, std::size_t i) {
    return from << 40 | static_cast<std::size_t>(call) << 20 | i;
  };
  std::vector<std::uint64_t> in(size * words), out(size * words), row(words);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = word(me, i);
  const std::size_t root = static_cast<std::size_t>(call) % size;
  for (std::size_t i = 0; i < words; ++i) row[i] = me == root ? word(root, i) : 0;
  const auto blocks = [&](std::vector<std::uint64_t>& of) {
    return Blocks{.start = reinterpret_cast<std::byte*>(of.data()), .block = words * sizeof(std::uint64_t)};
  };
  group.alltoall(blocks(in), blocks(out), Sizes::equal);
  group.bcast(row.data(), words * sizeof(std::uint64_t), static_cast<int>(root));
  int wrong = 0;
  for (std::size_t from = 0; from < size; ++from)
    for (std::size_t i = 0; i < words; ++i) wrong += from != me && out[from * words + i] != word(from, me * words + i);
  for (std::size_t i = 0; i < words; ++i) wrong += row[i] != word(root, i);
  return wrong;
}

TEST_CASE("calls of any length, with members that come late") {
  for (const int size : {2, 3, 5})
    for (const std::size_t bytes : {std::size_t{2048}, std::size_t{64 * 1024}}) {
      std::atomic<int> wrong = 0;
      crew(with_ring(size, bytes, 1), [&](ShmGroup& group) {
        std::mt19937 shared(static_cast<unsigned>(size)), own(static_cast<unsigned>(100 + group.me()));
        for (int call = 0; call < 400; ++call) {
          dawdle(own);
          constexpr std::size_t lengths[] = {1, 20, 250, 1100, 2000, 9000};
          wrong += exchange(group, call, lengths[shared() % std::size(lengths)]);
        }
      });
      CHECK_MESSAGE(wrong == 0, size << " members, rings of " << bytes);
    }
}

}  // namespace
}  // namespace tutti::shm::test
