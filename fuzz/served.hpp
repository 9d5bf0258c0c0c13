#pragma once
/// What tutti says of itself, where it is preloaded: looked up, since the program also runs without it (then the MPI
/// library is compared with itself).
#include <string>

#include "tutti/tutti.h"

namespace tutti::fuzz {

/// Of a call by its name; of all blocking ones together.
tutti_counters counters(const char* call = "");

/// Looks at one call: made before it, asked after it.
class Observed {
 public:
  Observed();
  /// What tutti chose; "native" where it left the call to the library, empty where it has not seen it.
  std::string choice() const;
  /// The library itself carried the call out.
  bool left() const { return choice().empty() || choice() == "native"; }

 private:
  std::uint64_t calls_;
};

}  // namespace tutti::fuzz
