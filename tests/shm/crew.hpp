#pragma once
/// Ranks as threads: a crew runs one function on every member of a group, over one mapping of one segment (so that the
/// thread sanitizer sees both sides of every access).
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "shm/group.hpp"

namespace tutti::shm::test {

/// Runs `work(group)` on `options.size` threads; rethrows nothing: the work reports by counting failures.
inline void crew(ShmGroupOptions options, const std::function<void(ShmGroup&)>& work) {
  Offer offer;
  std::string reason;
  auto segment = Segment::create(ShmGroup::bytes(options), Offer::Kind::memfd, offer, reason);
  REQUIRE_MESSAGE(segment.has_value(), reason);
  std::vector<std::thread> threads;
  for (int me = 0; me < options.size; ++me) {
    ShmGroupOptions mine = options;
    mine.me = me;
    threads.emplace_back([&segment, &work, mine] {
      ShmGroup group(segment->alias(), mine);
      work(group);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Yields or sleeps now and then, differently on each member.
inline void dawdle(std::mt19937& random, unsigned longest_microseconds = 1000) {
  const unsigned draw = random() % 64;
  if (draw == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(random() % longest_microseconds));
  else if (draw < 16)
    std::this_thread::yield();
}

/// x -> a x + b modulo 2^32, written left to right: associative, not commutative; a wrong order shows.
struct Affine {
  std::uint32_t a, b;
  bool operator==(const Affine&) const = default;
};
inline Affine then(Affine left, Affine right) { return {left.a * right.a, left.b * right.a + right.b}; }

inline Reducer affine() {
  return {[](void*, const void* in, const void* inout, void* out, std::size_t count) {
            const auto* left = static_cast<const Affine*>(in);
            const auto* right = static_cast<const Affine*>(inout);
            for (std::size_t i = 0; i < count; ++i) static_cast<Affine*>(out)[i] = then(left[i], right[i]);
          },
          nullptr, sizeof(Affine), false};
}

/// Member's element i in call `call`: all different.
inline Affine element(int member, std::size_t i, int call) {
  const auto seed = static_cast<std::uint32_t>(i * 2654435761U + static_cast<std::uint32_t>(member) * 40503U +
                                               static_cast<std::uint32_t>(call) * 97U);
  return {seed | 1, seed ^ 0x9e3779b9U};
}

inline Affine expected(int size, std::size_t i, int call) {
  Affine all = element(0, i, call);
  for (int member = 1; member < size; ++member) all = then(all, element(member, i, call));
  return all;
}

}  // namespace tutti::shm::test
