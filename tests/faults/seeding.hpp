#pragma once
/// Mistakes planted at random places of every algorithm, and what the verifier says to them.
#include <cstdint>
#include <string>
#include <vector>

#include "mistake.hpp"

namespace tutti::faults {

struct Seeding {
  std::vector<int> sizes{2, 3, 5, 6, 8};  ///< ranks
  int each = 4;                           ///< of every kind in every algorithm, wherever it applies
  std::uint32_t seed = 1;
};

/// A mistake that the verifier let pass.
struct Survivor {
  std::string_view mistake;
  std::string where;   ///< subject, rank and step
  std::string reason;  ///< why all is right all the same; or what goes wrong
  bool harmless = false;
};

struct Tally {
  std::string_view mistake;
  int planted = 0, caught = 0;
  int algorithms = 0;  ///< in which it applies
};

struct Harvest {
  std::vector<Tally> tallies;  ///< one a kind
  std::vector<Survivor> survivors;

  int planted() const;
  int caught() const;
};

/// The catalogue's algorithms, and for each collective that has groups one composition.
std::vector<const Algorithm*> algorithms();

/// Plants all kinds in all algorithms.  A mistake that leaves every step with the elements and the peer it had is none,
/// and is not counted.  What the verifier lets pass is judged without it: by runs on real values in which everything
/// happens at random moments (asynchronous.hpp).
Harvest sow(const Seeding& seeding);

}  // namespace tutti::faults
