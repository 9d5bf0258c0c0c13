#pragma once
/// From a spec to the algorithm that it names, and the values of its parameters.
#include <cstdint>
#include <string>
#include <string_view>

#include "algorithms/catalogue.hpp"
#include "algorithms/grouped/gain.hpp"
#include "selection/spec.hpp"

namespace tutti {

/// The catalogue's, or a composition in groups; null for native, node, and groups of the library's own collective.
const Algorithm* algorithm_named(const Spec& spec, Collective collective);

/// What values depend on.
struct Values {
  std::int64_t bytes = -1;  ///< as users know a call's size; -1 where it is not known: then nothing is cut
  int ranks = 1;            ///< of the call
  int members = 1;          ///< whom the algorithm is among: all of them, or one a node
  Gain gain{};              ///< of groups, where the spec does not say how many
};

/// By position; 0 beyond the last.
Parameters values_of(const Spec& spec, const Algorithm& algorithm, const Values& values);

/// Why so many ranks (or nodes) do not make the groups that the spec asks for; empty where they do.
std::string obstacle_to_groups(const Spec& spec, int members, std::string_view who);

/// The number of groups is left to the size of the call.
bool groups_follow_size(const Spec& spec);

}  // namespace tutti
