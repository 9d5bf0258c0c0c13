#pragma once
/// Where in a program collectives are called.
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tutti::record {

/// A return address, and what the loader knows of it.
struct Site {
  std::uint64_t address = 0, base = 0;  ///< base: where its object is loaded
  std::string object, symbol;           ///< symbol: the nearest one that is exported; may be empty
};

class Sites {
 public:
  /// The number of the site that `caller`, the return address of an MPI function, stands for; `nowhere` where there are
  /// too many.  Where that lies in an MPI's Fortran library, the site is the library's caller: it is looked for by
  /// unwinding the stack once for each such address.  `frame`: the stack pointer before the call.
  std::uint32_t of(const void* caller, const void* frame);

  const std::vector<Site>& all() const { return sites_; }

 private:
  struct Known {
    const void* caller = nullptr;
    std::uint32_t site = 0;
    std::int32_t above = 0;  ///< of a library's address: its caller's return address lies so many bytes above the frame
  };
  Known learn(const void* caller, const void* frame);
  std::uint32_t number_of(const void* address);

  static constexpr std::size_t most = 4096;
  std::array<Known, 512> recent_{};
  std::unordered_map<const void*, Known> known_;
  std::vector<Site> sites_;
};

}  // namespace tutti::record
