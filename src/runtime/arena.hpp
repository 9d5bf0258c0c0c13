#pragma once
/// Memory for one call at a time: allocated piece by piece, released all at once, kept for the next call.
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

namespace tutti::runtime {

class Arena {
 public:
  /// 64-byte aligned, uninitialised; stays where it is until `reset`.  Throws std::bad_alloc.
  std::byte* take(std::size_t bytes);
  template <class T>
  T* take_array(std::size_t count) {
    return reinterpret_cast<T*>(take(count * sizeof(T)));
  }
  /// Releases everything.  The memory of a small call is kept, as one piece; that of a large one is freed.
  void reset();

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  struct Piece {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size = 0;
  };
  static Piece make(std::size_t bytes);
  std::vector<Piece> pieces_;  ///< the last is in use, those before it are full
  std::size_t used_ = 0;       ///< of the last
  std::size_t taken_ = 0;      ///< since the last reset
};

}  // namespace tutti::runtime
