#pragma once
/// Memory as a segment gives it: zeros, in whole cache lines.
#include <cstddef>
#include <vector>

namespace tutti::runtime {

class ZeroedLines {
 public:
  explicit ZeroedLines(std::size_t bytes) : lines_(bytes / sizeof(Line) + 1) {}
  void* data() { return lines_.data(); }

 private:
  struct alignas(64) Line {
    unsigned char bytes[64] = {};
  };
  std::vector<Line> lines_;
};

}  // namespace tutti::runtime
