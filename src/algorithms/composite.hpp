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
  Collective collective;
  std::string name;  ///< "groups(outer=ring, inner=binomial)": the parts without their parameters
  Schedule (*composer)(const Composition&, Context);
  std::vector<const Algorithm*> parts;  ///< what each one is for, the composer knows; null: nothing
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
const Algorithm& composite(Composition composition);

}  // namespace tutti
