#pragma once
/// Studying the catalogue: what the command and its bindings ask for.  No MPI, no I/O.
#include <cstdint>
#include <string>
#include <string_view>

#include "algorithms/catalogue.hpp"
#include "analysis/count.hpp"
#include "analysis/timeline.hpp"

namespace tutti {

/// The entry of that name.  Throws std::invalid_argument, with a sentence for the user, where there is none.
const Algorithm& known_algorithm(Collective collective, std::string_view name);

/// The schedule of one rank as text (analysis/text.hpp), a step a line.  Throws std::invalid_argument, with a sentence
/// for the user, on a size, root, rank or parameter that the algorithm does not take.
std::string schedule_text(const Algorithm& algorithm, const Context& context);

/// What all ranks' schedules cost on the critical path, for blocks of `elements` elements (the whole vector for
/// bcast and the reductions; per rank elsewhere), where a rank has that many ports.  Throws as above.
Cost schedule_cost(const Algorithm& algorithm, int size, Rank root, const Parameters& parameters, std::int64_t elements,
                   int ports = 1);

/// What all ranks' schedules ask of the network between nodes of `per_node` ranks each (analysis/count.hpp), for blocks
/// as above.  Throws as above.
Traffic schedule_traffic(const Algorithm& algorithm, int size, Rank root, const Parameters& parameters,
                         std::int64_t elements, int per_node = 1);

inline Cost schedule_cost(Collective collective, std::string_view algorithm, int size, Rank root,
                          const Parameters& parameters, std::int64_t elements, int ports = 1) {
  return schedule_cost(known_algorithm(collective, algorithm), size, root, parameters, elements, ports);
}

/// All ranks' schedules in time (analysis/timeline.hpp).  Throws as above.
Timeline schedule_timeline(const Algorithm& algorithm, int size, Rank root, const Parameters& parameters);

}  // namespace tutti
