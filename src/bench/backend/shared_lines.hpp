#pragma once
/// A few cache lines that the ranks of one node share, for flags of the measurement's own.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::bench {

class Team;

class SharedLines {
 public:
  /// A cache line and its neighbour, which processors fetch along.
  struct alignas(128) Line {
    std::atomic<std::uint64_t> value;
  };

  /// None.
  SharedLines() = default;
  /// Collective over the team, whose ranks share a node.  None on all ranks where any of them cannot have them.
  SharedLines(Team& team, std::size_t count);
  SharedLines(SharedLines&& other) noexcept;
  SharedLines& operator=(SharedLines&& other) noexcept;
  ~SharedLines();

  explicit operator bool() const { return !lines_.empty(); }
  std::atomic<std::uint64_t>& operator[](std::size_t place) const { return lines_[place].value; }

 private:
  std::span<Line> lines_;
};

}  // namespace tutti::bench
