#pragma once
/// Algorithms composed of others, such as groups(16, chain): made where a spec asks for them, and kept for ever.
#include <string>
#include <vector>

#include "algorithms/catalogue.hpp"

namespace tutti {

/// What a composite is, with everything that its Algorithm shows.
///
/// Its parameters are `own`, then those of its parts, in their order: so a schedule finds them in one Parameters.
struct Composition {
  struct Part {
    const Algorithm* algorithm = nullptr;  ///< null: nothing there
    bool on_row = false;                   ///< its vector is the row of all ranks' blocks
  };
  Collective collective;
  std::string name;  ///< "groups(outer=ring, inner=binomial)": the parts without their parameters
  Schedule (*composer)(const Composition&, Context);
  std::vector<Part> parts;  ///< what each one is for, the composer knows
  std::vector<ParameterInfo> own;
  Constraints constraints;
  std::string cost;
  Source source;

  /// The values of that part's parameters, of all.
  Parameters parameters_of(std::size_t part, const Parameters& all) const;
};

/// The algorithm so composed.  The same collective and name have the same one, whose address tells it from all others
/// in a plan's key, as that of a catalogue's entry does.  Any thread may ask. Throws std::length_error where it has
/// more parameters than a schedule takes.
const Algorithm& composite(const Composition& composition);

}  // namespace tutti
